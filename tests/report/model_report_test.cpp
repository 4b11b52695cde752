#include "report/model_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/made_up_model.hpp"

namespace kore::report {
namespace {

using test::made_up_model;
using test::MadeUpModel;

constexpr const char* hostile = "</script><script>alert(1)</script>\"'&\xF0\x9F\x98\x80 ";

std::vector<Panel> panels(const Page& page, const std::string& id) {
  std::vector<Panel> all;
  for (const Section& section : page.sections)
    for (const Block& block : section.blocks)
      if (const auto* figure = std::get_if<Figure>(&block); figure != nullptr && section.id == id)
        all.insert(all.end(), figure->panels.begin(), figure->panels.end());
  return all;
}

std::string text_of(const Page& page) {
  std::string text;
  const auto add = [&](const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      if (const auto* paragraph = std::get_if<Paragraph>(&block)) text += paragraph->text + "\n";
      if (const auto* callout = std::get_if<Callout>(&block)) text += callout->text + "\n";
      if (const auto* notes = std::get_if<Notes>(&block))
        for (const std::string& note : notes->items) text += note + "\n";
      if (const auto* table = std::get_if<DataTable>(&block)) text += table->caption + "\n";
    }
  };
  add(page.lead);
  for (const Section& section : page.sections) add(section.blocks);
  return text;
}

class ModelReport : public testing::TestWithParam<bool> {
 protected:
  const MadeUpModel made = made_up_model(GetParam());
  const Observed observed = observe(made.rows.source(), made.fitted.model, 2);
};

TEST_P(ModelReport, HasEveryPart) {
  std::vector<std::string> order;
  for (const Section& section : model_page({made.fitted, &observed}).sections) order.push_back(section.id);
  // A reader's questions in their order; the appendix comes last. The paper profile has no referee.
  std::vector<std::string> wanted{"diagnostics", "importance", "effects", "interactions",
                                  "try-it",      "more-data",  "data",    "resolution"};
  if (!GetParam()) {
    wanted.insert(wanted.begin(), "accuracy");
    wanted.insert(wanted.begin() + 5, "simplicity");
  }
  EXPECT_EQ(order, wanted);
}

TEST_P(ModelReport, HasNoFoldersOfTheMachine) {
  MadeUpModel told = made_up_model(GetParam());
  told.fitted.facts.origin = "the file '/home/somebody/secret/rents.csv'";
  told.fitted.facts.notes = {"The file '/home/somebody/secret/rents.csv' has a byte order mark."};
  const std::string html = to_html(model_page({told.fitted, &observed}));
  EXPECT_EQ(html.find("somebody"), std::string::npos);
  EXPECT_NE(html.find("rents.csv"), std::string::npos);
}

TEST_P(ModelReport, OffersRowsOfTheTableToStartFrom) {
  const Json model = model_page({made.fitted, &observed}).model;
  ASSERT_GE(model["rows"].size(), 20U);
  const auto& features = made.fitted.encoding.features;
  const auto wave = static_cast<std::size_t>(
      std::ranges::find(features, "wave", &table::EncodedFeature::name) - features.begin());
  for (const Json& row : model["rows"]) {
    const auto number = row["row"].get<std::size_t>() - 1;
    ASSERT_EQ(row["values"].size(), made.fitted.encoding.columns.size());
    EXPECT_EQ(row["observed"].get<double>(), made.rows.y[number]);
    for (std::size_t c = 0; c < row["values"].size(); ++c)
      if (made.fitted.encoding.columns[c].name == "wave") {
        EXPECT_EQ(row["values"][c].get<double>(), made.rows.at(number, wave));
      }
  }
}

TEST_P(ModelReport, ShowsEveryMainEffectByFallingShare) {
  const std::vector<Panel> shown = panels(model_page({made.fitted, &observed}), "effects");
  const Model& model = made.fitted.model;
  const auto main_effects =
      std::ranges::count_if(model.design.terms(), [](const Term& t) { return t.order() == 1; });
  EXPECT_EQ(shown.size(), static_cast<std::size_t>(main_effects));
  for (const Panel& panel : shown) {
    EXPECT_FALSE(panel.description.empty());
    EXPECT_NE(panel.title.find("\u00a0%)"), std::string::npos) << panel.title;
  }
}

TEST_P(ModelReport, WithoutRowsSaysWhatRowsWouldShow) {
  const Page page = model_page({made.fitted});
  EXPECT_NE(text_of(page).find("when the report is given the table"), std::string::npos);
  EXPECT_TRUE(panels(page, "diagnostics").empty());
  EXPECT_FALSE(panels(page, "effects").empty());
}

TEST_P(ModelReport, TellsTheRowsOfTheFitFromNewOnes) {
  EXPECT_NE(text_of(model_page({made.fitted, &observed})).find("240 rows of the fit"), std::string::npos);
  const Observed other = observe(made.rows.slice(0, 50).source(), made.fitted.model, 1);
  EXPECT_NE(text_of(model_page({made.fitted, &other})).find("50 rows that the model was not fitted to"),
            std::string::npos);
}

TEST_P(ModelReport, CarriesTheWholeModelForMachines) {
  const Json model = model_page({made.fitted, &observed}).model;
  std::size_t coefficients = 0;
  for (const Json& term : model["terms"]) coefficients += term["coefficients"].size();
  EXPECT_EQ(coefficients, decomposition(made.fitted.model).coefficients.size());
  EXPECT_EQ(model["columns"].size(), made.fitted.encoding.columns.size());
  EXPECT_EQ(model["features"].size(), made.fitted.encoding.features.size());
  EXPECT_EQ(model["story"]["target"], "rent");
}

TEST_P(ModelReport, LetsNothingOfTheTableBecomeMarkup) {
  const MadeUpModel odd = made_up_model(GetParam(), 240, hostile);
  const Observed seen = observe(odd.rows.source(), odd.fitted.model, 1);
  const std::string html = to_html(model_page({odd.fitted, &seen}));
  EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
  EXPECT_NE(html.find("&lt;/script&gt;&lt;script&gt;alert(1)"), std::string::npos) << "it is there, as text";
}

INSTANTIATE_TEST_SUITE_P(Profiles, ModelReport, testing::Bool(),
                         [](const auto& profile) { return profile.param ? "paper" : "standard"; });

TEST(ReportPage, ShowsTheClassicalLadderWhereItWasClimbed) {
  const MadeUpModel made = made_up_model(false);
  Subject subject{
      made.fitted, nullptr, {{"KORE default", Structure::pairwise, 4, 9, 0.5, 1.5, "leave-one-out MSE"}}};
  EXPECT_NE(text_of(model_page(subject)).find("classical ways"), std::string::npos);
}

TEST(ReportPage, SaysWhereTheModelDidNotSettle) {
  MadeUpModel made = made_up_model(false);
  made.fitted.facts.notes = {"A note of the table."};
  EXPECT_EQ(text_of(model_page({made.fitted})).find("did not settle"), std::string::npos);
  made.fitted.model.summary.convergence = Convergence{false, 30};
  const std::string text = text_of(model_page({made.fitted}));
  EXPECT_NE(text.find("The penalty weights did not settle after 30 steps"), std::string::npos);
  EXPECT_NE(text.find("A note of the table."), std::string::npos);
}

TEST(ReportPage, OfAConstantTargetSaysSo) {
  MadeUpModel made = made_up_model(false);
  std::fill(made.rows.y.begin(), made.rows.y.end(), 7.0);
  Options options;
  for (const Feature& feature : made.fitted.model.design.features()) {
    options.kinds.push_back(feature.kind);
    options.levels.push_back(feature.levels);
  }
  made.fitted.model = fit(made.rows.source(), options, {});
  const Observed seen = observe(made.rows.source(), made.fitted.model, 1);
  const Page page = model_page({made.fitted, &seen});
  EXPECT_NE(text_of(page).find("every prediction is 7"), std::string::npos);
  EXPECT_FALSE(to_html(page).empty());
}

}  // namespace
}  // namespace kore::report
