// What is said about rows that decide their own prediction, and about a structure that fails on all rows.
#include "story/influential.hpp"

#include <gtest/gtest.h>

#include "kore/fit.hpp"
#include "story/verdict.hpp"
#include "support/made_up_rows.hpp"

namespace kore::story {
namespace {

/// A column of numbers and one of levels.
table::TableModel fitted() {
  test::Rows rows = test::made_up_rows(100, 2, 42);
  for (std::size_t r = 0; r < rows.count; ++r) rows.at(r, 1) = static_cast<double>(r % 2);
  Options options;
  options.kinds = {FeatureKind::spline, FeatureKind::category};
  options.levels = {0, 2};
  table::TableModel model{fit(rows.source(), options, {{"width", "city"}, "y"}), {}, {}};
  model.encoding.columns.resize(2);
  model.encoding.columns[1].category = true;
  model.encoding.columns[1].levels = {"Bonn", "Köln"};
  model.encoding.features = {{"width", table::EncodedKind::numeric, 0, 0},
                             {"city", table::EncodedKind::category, 1, 0}};
  model.model.summary.influential_count = 0;
  model.model.summary.influential_rows = {};
  return model;
}

table::TableModel with_rows(std::size_t count) {
  table::TableModel model = fitted();
  model.model.summary.influential_count = count;
  model.model.summary.influential_rows = {{24'067, 0.9984, {0, 1}, {58.9, 1}}};
  if (count > 1) model.model.summary.influential_rows.push_back({6, 0.95});
  return model;
}

TEST(InfluentialNotes, AreEmptyWhereThereIsNoSuchRow) {
  EXPECT_EQ(influential_clause(fitted().model), "");
  EXPECT_TRUE(row_notes(fitted()).empty());
}

TEST(InfluentialNotes, NameRowsColumnsAndValues) {
  EXPECT_EQ(influential_clause(with_rows(1).model),
            "1 row nearly decides its own prediction: row 24,068 (far out in 'width', 'city')");
  EXPECT_EQ(row_notes(with_rows(1)).front(),
            "1 row has a leverage above 0.9, so that the model there rests on it alone (rows counted from "
            "1): row 24,068 ('width' 58.9, 'city' Köln, leverage 0.998).");
  EXPECT_EQ(influential_clause(with_rows(2).model),
            "2 rows nearly decide their own prediction: row 24,068 (far out in 'width', 'city'), row 7");
}

TEST(InfluentialNotes, SayThatThereAreMoreRowsThanNamed) {
  EXPECT_TRUE(influential_clause(with_rows(30).model).ends_with(", row 7, and others"));
  table::TableModel model = with_rows(30);
  model.facts.missing_target = 4;
  const std::string note = row_notes(model).front();
  EXPECT_TRUE(note.starts_with("30 rows have a leverage above 0.9")) << note;
  EXPECT_NE(note.find("(rows counted from 1, among those with a target)"), std::string::npos);
}

TEST(InfluentialNotes, AreSilentWhereTheModelRepeatsItsRowsAnyway) {
  table::TableModel model = with_rows(2);
  model.model.summary.parameters = 0.95 * model.model.summary.weight_sum;
  EXPECT_EQ(influential_clause(model.model), "");
  EXPECT_TRUE(row_notes(model).empty());
}

TEST(InfluentialNotes, EndTheVerdict) {
  const Model model = with_rows(1).model;
  EXPECT_TRUE(verdict(evidence_of(model)).sentence.ends_with("; " + influential_clause(model)));
  EXPECT_EQ(verdict(evidence_of(model)).answer, verdict(evidence_of(model.summary)).answer);
}

TEST(SampleNote, TellsThatASimplerStructureWasTaken) {
  table::TableModel model = fitted();
  FitSummary& summary = model.model.summary;
  StageSummary main;
  main.terms = 2;
  main.chosen = true;
  main.all_rows_loo = 0.25;
  StageSummary pairs = main;
  pairs.structure = Structure::pairwise;
  pairs.chosen = false;
  pairs.all_rows_loo = 16;
  summary.stages = {main, pairs};
  ASSERT_EQ(row_notes(model).size(), 1U);
  EXPECT_EQ(row_notes(model)[0],
            "The sample chose the model 'with pairs', whose leave-one-out RMSE on all rows is 4, far above "
            "the error estimated on the sample; 'main effects' has 0.5 there and was taken.");
  summary.stages[0].chosen = false;
  summary.stages[1].chosen = true;
  EXPECT_TRUE(row_notes(model).empty());
}

}  // namespace
}  // namespace kore::story
