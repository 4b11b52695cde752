#include <gtest/gtest.h>

#include <set>

#include "report/family_charts.hpp"
#include "report/made_up_family.hpp"
#include "report/model_report.hpp"

namespace kore::report {
namespace {

using test::made_up_family;
using test::MadeUpModel;

struct Shown {
  std::string text;              ///< Everything that is said, and the words of charts.
  std::set<std::string> tiles;   ///< Labels.
  std::set<std::string> panels;  ///< Titles.
};

void add(const std::vector<Block>& blocks, Shown& shown) {
  for (const Block& block : blocks) {
    if (const auto* paragraph = std::get_if<Paragraph>(&block)) shown.text += paragraph->text + "\n";
    if (const auto* callout = std::get_if<Callout>(&block)) shown.text += callout->text + "\n";
    if (const auto* tiles = std::get_if<Tiles>(&block))
      for (const Tile& tile : tiles->tiles) {
        shown.tiles.insert(tile.label);
        shown.text += tile.detail + "\n";
      }
    if (const auto* table = std::get_if<DataTable>(&block)) {
      shown.text += table->caption + "\n";
      for (const std::string& word : table->head) shown.text += word + "\n";
      for (const std::vector<Cell>& row : table->rows)
        for (const Cell& cell : row) shown.text += cell.text + "\n";
    }
    if (const auto* figure = std::get_if<Figure>(&block))
      for (const Panel& panel : figure->panels) {
        shown.panels.insert(panel.title);
        shown.text += panel.description + "\n" + panel.note + "\n";
      }
  }
}

Shown shown(const Page& page) {
  Shown all;
  add(page.lead, all);
  for (const Section& section : page.sections) add(section.blocks, all);
  return all;
}

bool says(const Shown& page, const std::string& words) { return page.text.find(words) != std::string::npos; }

TEST(ReportOfYesAndNo, SpeaksOfProbabilities) {
  const MadeUpModel made = made_up_family(Family::binomial);
  const Observed seen = observe(made.rows.source(), made.fitted.model, 1);
  const Shown page = shown(model_page({made.fitted, &seen}));
  for (const char* label : {"AUC", "Log loss", "Brier score", "Deviance explained"})
    EXPECT_TRUE(page.tiles.contains(label)) << label;
  EXPECT_FALSE(page.tiles.contains("Typical error"));
  EXPECT_FALSE(page.tiles.contains("Variation predicted"));
  for (const char* title : {"Predicted and observed", "ROC", "Precision and recall", "Gains", "Leverages"})
    EXPECT_TRUE(page.panels.contains(title)) << title;
  for (const char* title : {"Against a normal distribution", "Against the prediction", "Rootogram",
                            "Do intervals hold everywhere?"})
    EXPECT_FALSE(page.panels.contains(title)) << title;
  EXPECT_TRUE(says(page, "probability of lost"));
  EXPECT_TRUE(says(page, "adds to the log odds"));
  EXPECT_TRUE(says(page, "leave-one-out deviance"));
  EXPECT_FALSE(says(page, "R²"));
  EXPECT_FALSE(says(page, "RMSE"));
  EXPECT_FALSE(says(page, "interval covers"));
}

TEST(ReportOfYesAndNo, NamesObservedLevelsInTheLargestErrors) {
  const MadeUpModel made = made_up_family(Family::binomial);
  const Observed seen = observe(made.rows.source(), made.fitted.model, 1);
  const Page page = model_page({made.fitted, &seen});
  std::size_t named = 0;
  for (const Section& section : page.sections)
    for (const Block& block : section.blocks) {
      const auto* table = std::get_if<DataTable>(&block);
      if (table == nullptr || !table->caption.starts_with("The largest errors")) continue;
      for (const std::vector<Cell>& row : table->rows) {
        EXPECT_TRUE(row[1].text == "paid" || row[1].text == "lost") << row[1].text;
        ++named;
      }
    }
  EXPECT_EQ(named, 10U);
}

class ReportOfAmounts : public testing::TestWithParam<Family> {};

TEST_P(ReportOfAmounts, StatesErrorsAndDeviance) {
  const MadeUpModel made = made_up_family(GetParam());
  const Observed seen = observe(made.rows.source(), made.fitted.model, 1);
  const Shown page = shown(model_page({made.fitted, &seen}));
  for (const char* label : {"Typical error", "Mean error", "Deviance explained"})
    EXPECT_TRUE(page.tiles.contains(label)) << label;
  EXPECT_FALSE(page.tiles.contains("AUC"));
  EXPECT_FALSE(page.tiles.contains("Variation predicted"));
  EXPECT_FALSE(page.panels.contains("ROC"));
  EXPECT_FALSE(page.panels.contains("Against a normal distribution"));
  EXPECT_TRUE(page.panels.contains("Against the prediction"));
  EXPECT_EQ(page.panels.contains("Rootogram"), GetParam() != Family::gamma);
  EXPECT_TRUE(says(page, "adds to the logarithm of the prediction"));
  EXPECT_FALSE(says(page, "R²"));
}

INSTANTIATE_TEST_SUITE_P(Families, ReportOfAmounts,
                         testing::Values(Family::poisson, Family::gamma, Family::negative_binomial));

TEST(ReportOfRates, HasNoIntervals) {
  const MadeUpModel made = made_up_family(Family::poisson, true);
  const Observed seen = observe(made.rows.source(), made.fitted.model, 1);
  const Page page = model_page({made.fitted, &seen});
  EXPECT_EQ(page.model["intervals"], false);
  EXPECT_EQ(page.model["exposure"], "years");
  EXPECT_FALSE(shown(page).panels.contains("Do intervals hold everywhere?"));
  EXPECT_TRUE(says(shown(page), "rates per unit of 'years'"));
}

TEST(ReportOfAFamily, WithoutRowsHasNoCalibration) {
  const MadeUpModel made = made_up_family(Family::binomial);
  const Page page = model_page({made.fitted});
  for (const Section& section : page.sections) EXPECT_NE(section.id, "calibration");
  EXPECT_TRUE(shown(page).tiles.contains("AUC"));
}

TEST(ReportOfAFamily, CarriesItsLink) {
  const MadeUpModel binomial = made_up_family(Family::binomial);
  const Json json = model_page({binomial.fitted}).model;
  EXPECT_EQ(json["family"], "binomial");
  EXPECT_EQ(json["link"], "logit");
  EXPECT_EQ(json["target_levels"], Json({"paid", "lost"}));
  EXPECT_EQ(json["intervals"], false);
  EXPECT_EQ(model_page({made_up_family(Family::gamma).fitted}).model["link"], "log");
  EXPECT_EQ(model_page({test::made_up_model(false).fitted}).model["link"], "identity");
}

TEST(MeanIntervals, OfSharesStayWithinZeroAndOne) {
  const MeanInterval none = mean_interval({20, 0.01, 0, 0}, true);
  EXPECT_EQ(none.lower, 0);
  EXPECT_NEAR(none.upper, 0.1611, 1e-4) << "Wilson's interval of 0 of 20";
  const MeanInterval half = mean_interval({100, 0.5, 0.5, 25}, true);
  EXPECT_NEAR(half.lower, 0.4038, 1e-4);
  EXPECT_NEAR(half.upper, 0.5962, 1e-4);
}

TEST(MeanIntervals, OfNumbersFollowTheirSpread) {
  const MeanInterval interval = mean_interval({100, 3, 3, 400}, false);
  EXPECT_NEAR(interval.upper - interval.lower, 2 * 1.96 * 0.2, 1e-3);
}

TEST(RocChart, BeginsAtNothingAndEndsAtEverything) {
  std::vector<YesAndNo> ranks(1000);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    ranks[i] = {static_cast<double>(i), 1000.0 - static_cast<double>(i)};
  const Json rows = roc_chart(ranks)["data"]["values"];
  EXPECT_LE(rows.size(), 201U);
  EXPECT_EQ(rows.front()["yes"], 0);
  EXPECT_EQ(rows.back()["yes"], 1);
  EXPECT_EQ(rows.back()["no"], 1);
}

TEST(GainsChart, TakesTheHighestPredictionsFirst) {
  const Json rows = gains_chart({{50, 1, 1, 0}, {50, 3, 3, 0}}, "all events")["data"]["values"];
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1]["rows"], 0.5);
  EXPECT_EQ(rows[1]["share"], 0.75);
}

}  // namespace
}  // namespace kore::report
