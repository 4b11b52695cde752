#include "report/model_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "report/drawing.hpp"
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

/// All places at which a chart has set ticks.
void collect_ticks(const Json& spec, std::vector<Json>& found) {
  if (spec.is_object() && spec.contains("axis") && spec["axis"].is_object() &&
      spec["axis"].contains("values"))
    found.push_back(spec["axis"]["values"]);
  if (spec.is_structured())
    for (const Json& part : spec) collect_ticks(part, found);
}

TEST_P(ModelReport, ShowsErrorsAlongFewDatesOnAnAxisOfTime) {
  Observed few = observed;
  const auto& features = made.fitted.encoding.features;
  const auto built = static_cast<std::size_t>(
      std::ranges::find(features, "built", &table::EncodedFeature::name) - features.begin());
  few.samples[built].values = {7000, 11000, 15000};
  EXPECT_TRUE(single_values({made.fitted, &few}, built).empty());
  const std::vector<Panel> shown = panels(model_page({made.fitted, &few}), "diagnostics");
  const auto of_dates = std::ranges::find(shown, "built", &Panel::title);
  ASSERT_NE(of_dates, shown.end());
  EXPECT_NE(of_dates->spec.dump().find("temporal"), std::string::npos);
  std::vector<Json> ticks;
  collect_ticks(of_dates->spec, ticks);
  EXPECT_TRUE(ticks.empty()) << "days stand on an axis of milliseconds: " << ticks.front();
}

TEST_P(ModelReport, ListsColumnsThatAreNearlyEqual) {
  const auto near = [&](const MadeUpModel& of) {
    const Observed seen = observe(of.rows.source(), of.fitted.model, 1);
    for (const Section& section : model_page({of.fitted, &seen}).sections)
      for (const Block& block : section.blocks)
        if (const auto* table = std::get_if<DataTable>(&block);
            table != nullptr && table->caption.starts_with("Columns that are equal"))
          return table->rows;
    return std::vector<std::vector<Cell>>{};
  };
  EXPECT_TRUE(near(made).empty());
  MadeUpModel twin = made_up_model(GetParam());
  const auto& features = twin.fitted.encoding.features;
  const auto at = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(features, name, &table::EncodedFeature::name) -
                                    features.begin());
  };
  for (std::size_t r = 0; r < twin.rows.count; ++r)
    twin.rows.x[at("size") * twin.rows.count + r] =
        -3 * twin.rows.x[at("wave") * twin.rows.count + r] + (r % 7 == 0 ? 0.01 : 0);
  const auto found = near(twin);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0][0].text, "size");
  EXPECT_EQ(found[0][1].text, "wave");
  EXPECT_EQ(found[0][2].text, "-1.0000");
  EXPECT_EQ(found[0][3].text, "") << "they are not the same numbers";
  for (std::size_t r = 0; r < twin.rows.count; ++r)
    twin.rows.x[at("size") * twin.rows.count + r] = twin.rows.x[at("wave") * twin.rows.count + r];
  EXPECT_EQ(near(twin).at(0)[3].text, "equal");
}

TEST_P(ModelReport, HasTestsAndParametersOfEffectsWhereKnown) {
  for (const Section& section : model_page({made.fitted, &observed}).sections) {
    if (section.id != "importance") continue;
    for (const Block& block : section.blocks) {
      const auto* table = std::get_if<DataTable>(&block);
      if (table == nullptr || !table->caption.starts_with("All effects")) continue;
      const bool known = std::ranges::find(table->head, "test: p if no effect") != table->head.end();
      EXPECT_EQ(known, !GetParam()) << "the published method has no tests";
      for (const auto& row : table->rows) EXPECT_EQ(row.size(), table->head.size());
      return;
    }
  }
  FAIL() << "no table of effects";
}

TEST_P(ModelReport, ShowsErrorsByTheNumberOfTermsWhereRefereed) {
  const Page page = model_page({made.fitted, &observed});
  const auto section = std::ranges::find(page.sections, "simplicity", &Section::id);
  if (GetParam()) {
    EXPECT_EQ(section, page.sections.end());
    return;
  }
  ASSERT_NE(section, page.sections.end());
  const DataTable& table = std::get<DataTable>(section->blocks.back());
  std::size_t judged = 0;
  for (const StageSummary& stage : made.fitted.model.summary.stages)
    judged += std::isfinite(stage.unseen_loss) && std::isfinite(stage.unseen_error) ? 1 : 0;
  ASSERT_EQ(table.rows.size(), judged);
  std::size_t chosen = 0;
  int terms = -1;
  for (const auto& row : table.rows) {
    EXPECT_GE(std::stoi(row[1].text), terms) << "by the number of terms";
    terms = std::stoi(row[1].text);
    chosen += row.back().text == "chosen" ? 1 : 0;
  }
  EXPECT_EQ(chosen, 1U);
  const Json points = panels(page, "simplicity").at(0).spec["data"]["values"];
  for (const Json& point : points) {
    EXPECT_LT(point["low"], point["error"]);
    EXPECT_LT(point["error"], point["high"]);
  }
  EXPECT_NE(text_of(page).find("--simple"), std::string::npos);
  MadeUpModel simple = made_up_model(false);
  simple.fitted.model.summary.simplest = true;
  EXPECT_NE(text_of(model_page({simple.fitted, nullptr})).find("was asked for"), std::string::npos);
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
