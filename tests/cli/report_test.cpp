#include <gtest/gtest.h>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore::test {
namespace {

class ReportCommand : public CommandTest {
 protected:
  void SetUp() override {
    folder.write("flats.csv", flats_csv(300, 5));
    kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "-o", "flats.kore", "-q"});
  }

  static nlohmann::json model_in(const std::string& html) {
    const std::string opening = "<script type=\"application/json\" id=\"kore-model\">";
    const auto first = html.find(opening) + opening.size();
    return nlohmann::json::parse(html.substr(first, html.find("</script>", first) - first));
  }
};

TEST_F(ReportCommand, WritesOnePageAndNamesIt) {
  const Outcome outcome = kore({"report", "flats.kore", "flats.csv", "-o", "flats.html"});
  EXPECT_SAYS(outcome.out, "Report written to flats.html");
  const std::string html = folder.read("flats.html");
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  EXPECT_SAYS(html, "280 rows of the fit") << "every fifteenth has no target";
  EXPECT_EQ(model_in(html)["target"], "rent");
  EXPECT_EQ(folder.names(), (std::set<std::string>{"flats.csv", "flats.html", "flats.kore"}));
}

TEST_F(ReportCommand, NeedsNoTable) {
  kore({"report", "flats.kore"});
  EXPECT_SAYS(folder.read("report.html"), "shown when the report is given the table");
}

TEST_F(ReportCommand, TellsNewRowsFromThoseOfTheFit) {
  folder.write("new.csv", flats_csv(90, 6));
  kore({"report", "flats.kore", "new.csv", "-o", "new.html"});
  EXPECT_SAYS(folder.read("new.html"), "84 rows that the model was not fitted to");
}

TEST_F(ReportCommand, ComparesWhereAskedTo) {
  kore({"report", "flats.kore", "flats.csv", "--compare", "-o", "compared.html"});
  EXPECT_SAYS(folder.read("compared.html"), "3-fold CV");
}

TEST_F(ReportCommand, IsTheSameOnAnyNumberOfThreads) {
  kore({"report", "flats.kore", "flats.csv", "--threads", "1", "-o", "one.html"});
  kore({"report", "flats.kore", "flats.csv", "--threads", "3", "-o", "three.html"});
  EXPECT_TRUE(folder.read("one.html") == folder.read("three.html"));
}

TEST_F(ReportCommand, ComesWithAFitWhereAskedFor) {
  const Outcome outcome =
      kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "--report", "fit.html"});
  EXPECT_SAYS(outcome.out, "Report      fit.html");
  EXPECT_SAYS(folder.read("fit.html"), "280 rows of the fit");
}

TEST_F(ReportCommand, RefusesInASentenceAndWritesNothing) {
  folder.write("notes.txt", "mine");
  folder.write("other.csv", "a,b\n1,2\n2,4\n");
  const auto refused = [&](const Arguments& arguments, std::string_view part) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << shown(arguments);
    EXPECT_SAYS(outcome.err, part);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  refused({"report", "flats.kore", "-o", "notes.txt"}, "is not an HTML page");
  refused({"report", "flats.kore", "-o", "nowhere/report.html"}, "there is no folder");
  refused({"report", "flats.kore", "other.csv"}, "'rent'");
  refused({"report", "flats.kore", "--compare"}, "name the table");
  refused({"report", "absent.kore"}, "absent.kore");
  refused({"fit", "flats.csv", "--target", "rent", "-o", "both", "--report", "nowhere/x.html"},
          "there is no folder");
  EXPECT_EQ(folder.read("notes.txt"), "mine");
  EXPECT_EQ(folder.names(), (std::set<std::string>{"flats.csv", "flats.kore", "notes.txt", "other.csv"}));
}

}  // namespace
}  // namespace kore::test
