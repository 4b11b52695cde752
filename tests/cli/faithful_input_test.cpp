// What is read is what the files say, all of it; where that is in doubt, the command says so.
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

class FaithfulInput : public test::CommandTest {
 protected:
  std::string notes(const Arguments& arguments) const {
    std::string all;
    const nlohmann::json told = kore(arguments).json();
    for (const auto& note : told.at("notes")) all += note.get<std::string>() + "\n";
    return all;
  }
  static std::string gzip_of(const std::string& file) { return "gzip -c " + file + " > " + file + ".gz; "; }
};

TEST_F(FaithfulInput, ACompressedFileThatEndsEarlyIsRefusedByFitAndPredict) {
  folder.write("flats.csv", test::flats_csv(3000, 1));
  ASSERT_EQ(shell(gzip_of("flats.csv")).status, 0);
  kore({"fit", "flats.csv.gz", "-t", "rent", "--drop", "id", "-q", "-o", "flats.kore"});
  const std::string whole = folder.read("flats.csv.gz");
  for (const double share : {0.02, 0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.99}) {
    folder.write("cut.csv.gz",
                 whole.substr(0, static_cast<std::size_t>(share * static_cast<double>(whole.size()))));
    for (const Arguments& arguments :
         {Arguments{"fit", "cut.csv.gz", "-t", "rent"}, Arguments{"fit", "FROM 'cut.csv.gz'", "-t", "rent"},
          Arguments{"predict", "flats.kore", "cut.csv.gz"}}) {
      const auto outcome = run(arguments);
      EXPECT_EQ(outcome.status, 2) << share << shown(arguments);
      EXPECT_SAYS(outcome.err, "'cut.csv.gz' ends too early: it is truncated");
    }
  }
  folder.write("cut.csv.gz", whole.substr(0, whole.size() - 1));
  EXPECT_SAYS(run({"fit", "cut.csv.gz", "-t", "rent"}).err, "truncated");
}

TEST_F(FaithfulInput, ACompressedFileWithAWrongSumIsRefused) {
  folder.write("flats.csv", test::flats_csv(500, 1));
  ASSERT_EQ(shell(gzip_of("flats.csv")).status, 0);
  const std::string whole = folder.read("flats.csv.gz");
  for (const std::size_t from_end : {1U, 4U, 5U, 8U}) {  // four bytes of length behind four of the sum
    std::string damaged = whole;
    damaged[damaged.size() - from_end] = static_cast<char>(damaged[damaged.size() - from_end] ^ 1);
    folder.write("damaged.csv.gz", damaged);
    const auto outcome = run({"fit", "damaged.csv.gz", "-t", "rent"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_SAYS(outcome.err, "'damaged.csv.gz' is damaged");
  }
}

TEST_F(FaithfulInput, CompressedFilesThatWereJoinedAreReadAsOne) {
  folder.write("a.csv", "x,y\n1,2\n2,3\n3,5\n4,4\n");
  folder.write("b.csv", "5,6\n6,7\n7,8\n8,8\n");
  ASSERT_EQ(shell("(gzip -c a.csv; gzip -c b.csv) > both.csv.gz").status, 0);
  EXPECT_EQ(kore({"fit", "both.csv.gz", "-t", "y", "--json"}).json()["n"], 8);
}

TEST_F(FaithfulInput, CompressedRowsOnTheStandardInputAreNamedAsThat) {
  folder.write("a.csv", "x,y\n1,2\n2,3\n3,5\n4,4\n");
  const auto outcome = shell("gzip -c a.csv | " + std::string(KORE_COMMAND) + " fit - -t y");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_SAYS(outcome.err, "The standard input is compressed (gzip)");
}

/// Dates whose day and month are both at most twelve, and a target that follows the day of the year.
std::string dates_csv(bool day_first, const std::vector<std::pair<int, int>>& days_and_months) {
  std::string text = "when,y\n";
  for (const auto& [day, month] : days_and_months) {
    char line[64];
    std::snprintf(line, sizeof line, "%02d/%02d/2010,%d\n", day_first ? day : month, day_first ? month : day,
                  month * 31 + day);
    text += line;
  }
  return text;
}

std::vector<std::pair<int, int>> doubtful_days() {
  std::vector<std::pair<int, int>> days;
  for (int month = 1; month <= 12; ++month)
    for (const int day : {1 + month * 5 % 11, 1 + month * 7 % 12}) days.emplace_back(day, month);
  return days;
}

TEST_F(FaithfulInput, DatesThatCouldBeReadInTwoWaysGetANote) {
  folder.write("dates.csv", dates_csv(true, doubtful_days()));
  const std::string note = notes({"fit", "dates.csv", "-t", "y", "--json"});
  EXPECT_SAYS(note, "Dates in column 'when' of the file 'dates.csv' could have the day or the month first");
  EXPECT_SAYS(note, "with the day first (%d/%m/%Y)");
  EXPECT_SAYS(note, "--date-format %m/%d/%Y reads them the other way.");
  for (const std::string format : {"%d/%m/%Y", "%m/%d/%Y"})
    EXPECT_EQ(notes({"fit", "dates.csv", "-t", "y", "--json", "--date-format", format}).find("month"),
              std::string::npos)
        << "who said how they are written needs no note";
}

TEST_F(FaithfulInput, TheFormatOfDatesDecidesWhatTheyMean) {
  folder.write("dates.csv", dates_csv(false, doubtful_days()));
  const auto error = [&](const std::string& format) {
    return kore({"fit", "dates.csv", "-t", "y", "--json", "--date-format", format})
        .json()["accuracy"]["rmse"]
        .get<double>();
  };
  EXPECT_LT(error("%m/%d/%Y"), 0.2 * error("%d/%m/%Y"));
}

TEST_F(FaithfulInput, DatesThatAreEvenlySpacedInOneWayAreReadSo) {
  // Every 29th day, whose days happen to be months, too. Read the other way they follow no rule.
  const std::vector<std::pair<int, int>> days{{12, 1}, {10, 2}, {11, 3}, {9, 4}, {8, 5},
                                              {6, 6},  {5, 7},  {3, 8},  {1, 9}};
  for (const bool day_first : {false, true}) {
    SCOPED_TRACE(day_first);
    folder.write("dates.csv", dates_csv(day_first, days));
    const auto error = [&](const Arguments& more) {
      Arguments arguments{"fit", "dates.csv", "-t", "y", "--json"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      return kore(arguments).json()["loo"].get<double>();
    };
    EXPECT_EQ(notes({"fit", "dates.csv", "-t", "y", "--json"}).find("month first"), std::string::npos);
    const std::string right = day_first ? "%d/%m/%Y" : "%m/%d/%Y";
    const std::string wrong = day_first ? "%m/%d/%Y" : "%d/%m/%Y";
    EXPECT_EQ(error({}), error({"--date-format", right}));
    EXPECT_LT(error({}), 0.1 * error({"--date-format", wrong}));
  }
}

TEST_F(FaithfulInput, DatesThatAreEvenlySpacedInBothWaysGetANote) {
  // The first twelve days of January, or the first of every month.
  std::vector<std::pair<int, int>> days;
  for (int day = 1; day <= 12; ++day) days.emplace_back(day, 1);
  folder.write("dates.csv", dates_csv(false, days));
  EXPECT_SAYS(notes({"fit", "dates.csv", "-t", "y", "--json"}), "could have the day or the month first");
}

TEST_F(FaithfulInput, DatesOfSeveralFilesAreReadInTheOneWayThatFitsAll) {
  folder.write("part-1.csv", dates_csv(false, doubtful_days()));
  folder.write("part-2.csv", dates_csv(false, {{25, 1}, {14, 3}, {30, 5}, {28, 9}}));
  const auto fitted = kore({"fit", "part-*.csv", "-t", "y", "--json"}).json();
  EXPECT_LT(fitted["accuracy"]["rmse"].get<double>(), 10);
}

TEST_F(FaithfulInput, NewRowsAreReadWithTheDatesOfTheModel) {
  folder.write("dates.csv", dates_csv(false, doubtful_days()));
  kore({"fit", "dates.csv", "-t", "y", "-q", "--date-format", "%m/%d/%Y", "-o", "dates.kore"});
  folder.write("new.csv", "when\n03/02/2010\n");  // the second of March
  const double predicted =
      std::stod(kore({"predict", "dates.kore", "new.csv"}).out.substr(sizeof "prediction"));
  EXPECT_NEAR(predicted, 3 * 31 + 2, 8);
}

TEST_F(FaithfulInput, FilesWhoseColumnsStandInAnotherOrderAreMatchedByName) {
  folder.write("part-1.csv", "x,z,y\n1,10,1\n2,11,2\n3,14,3\n4,19,4\n5,11,5\n");
  folder.write("part-2.csv", "y,x,z\n6,6,10\n7,7,13\n8,8,11\n9,9,18\n");
  folder.write("all.csv", "x,z,y\n1,10,1\n2,11,2\n3,14,3\n4,19,4\n5,11,5\n6,10,6\n7,13,7\n8,11,8\n9,18,9\n");
  const auto parts = kore({"fit", "part-*.csv", "-t", "y", "--json"}).json();
  const auto all = kore({"fit", "all.csv", "-t", "y", "--json"}).json();
  EXPECT_EQ(parts["n"], 9);
  EXPECT_EQ(parts["loo"], all["loo"]);
  folder.write("part-3.csv", "y,x\n6,6\n7,7\n");
  EXPECT_SAYS(run({"fit", "part-*.csv", "-t", "y"}).err, "'part-3.csv' has no column 'z'");
  folder.write("part-3.csv", "y,x,z,w\n6,6,1,2\n7,7,3,4\n");
  EXPECT_SAYS(run({"fit", "part-*.csv", "-t", "y"}).err, "'part-3.csv' has a column 'w'");
}

TEST_F(FaithfulInput, APipeOfTheShellIsReadOnceAndANamedOneIsRefusedAtOnce) {
  folder.write("flats.csv", test::flats_csv(200, 1));
  const std::string command = KORE_COMMAND;
  const auto piped = shell(command + " fit <(cat flats.csv) -t rent --drop id --json");
  EXPECT_EQ(piped.status, 0) << piped.err;
  const auto fitted = kore({"fit", "flats.csv", "-t", "rent", "--drop", "id", "--json"}).json();
  EXPECT_EQ(piped.json()["loo"], fitted["loo"]);
  ASSERT_EQ(::mkfifo(folder.path("named.csv").c_str(), 0600), 0);
  for (const Arguments& arguments :
       {Arguments{"fit", "named.csv", "-t", "rent"}, Arguments{"info", "named.csv"}}) {
    const auto outcome = run(arguments, 20);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_SAYS(outcome.err, "is a pipe");
  }
}

/// A socket that stands in a folder under a name, and that nobody serves.
class Socket {
 public:
  explicit Socket(const std::string& path) : number_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) throw std::runtime_error("the path is too long: " + path);
    path.copy(address.sun_path, path.size());
    if (::bind(number_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(number_, 1) != 0)
      throw std::runtime_error("no socket");
  }
  ~Socket() { ::close(number_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

 private:
  int number_;
};

TEST_F(FaithfulInput, ASocketIsRefusedAtOnceWhereverAFileIsRead) {
  folder.write("flats.csv", test::flats_csv(200, 1));
  kore({"fit", "flats.csv", "-t", "rent", "--drop", "id", "-q", "-o", "flats.kore"});
  const Socket socket(folder.path("named.csv"));
  for (const Arguments& arguments :
       {Arguments{"fit", "named.csv", "-t", "rent"}, Arguments{"diagnose", "named.csv", "-t", "rent"},
        Arguments{"predict", "flats.kore", "named.csv"}, Arguments{"predict", "named.csv", "flats.csv"},
        Arguments{"report", "flats.kore", "named.csv"}, Arguments{"info", "named.csv"}}) {
    const auto outcome = run(arguments, 20);
    EXPECT_EQ(outcome.status, 2) << shown(arguments);
    EXPECT_SAYS(outcome.err, "named.csv'");
    EXPECT_SAYS(outcome.err, "a socket");
  }
}

}  // namespace
}  // namespace kore
