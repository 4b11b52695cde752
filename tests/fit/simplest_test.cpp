// Simplicity as a choice: `simplest` and `max_terms`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kore/error.hpp"
#include "kore/fit.hpp"
#include "support/error_of.hpp"
#include "support/made_up_rows.hpp"

namespace kore {
namespace {

/// One large effect and three that noise nearly hides.
test::Rows rows_of(std::size_t count, std::uint64_t seed) {
  test::Rows rows = test::made_up_rows(count, 4, seed);
  test::Uniform uniform(seed + 1);
  for (std::size_t r = 0; r < count; ++r)
    rows.y[r] =
        2 * std::sin(5 * rows.at(r, 0)) + 0.15 * rows.at(r, 1) + 0.1 * rows.at(r, 2) + uniform.between(-1, 1);
  return rows;
}

Options with(bool simplest, int max_terms) {
  Options options;
  options.grown().simplest = simplest;
  options.grown().max_terms = max_terms;
  return options;
}

const StageSummary& chosen(const Model& model) {
  return *std::ranges::find_if(model.summary.stages, &StageSummary::chosen);
}

TEST(SimplestFit, IsWithinOneStandardErrorAndHasFewerTerms) {
  const test::Rows rows = rows_of(300, 961);
  const Model best = fit(rows.view(), rows.y);
  const Model simple = fit(rows.view(), rows.y, with(true, 0));
  EXPECT_LT(chosen(simple).terms, chosen(best).terms);
  EXPECT_TRUE(simple.summary.simplest);
  const StageSummary* least = nullptr;
  for (const StageSummary& stage : simple.summary.stages)
    if (std::isfinite(stage.unseen_loss) && (least == nullptr || stage.unseen_loss < least->unseen_loss))
      least = &stage;
  ASSERT_NE(least, nullptr);
  EXPECT_GT(least->unseen_error, 0);
  EXPECT_LE(chosen(simple).unseen_loss, least->unseen_loss + least->unseen_error);
}

TEST(SimplestFit, StatesAnErrorThatHoldsOnFreshRows) {
  const test::Rows rows = rows_of(300, 963);
  const test::Rows fresh = rows_of(4000, 965);
  for (const Options& options : {with(true, 0), with(false, 1)}) {
    const Model model = fit(rows.view(), rows.y, options);
    const std::vector<double> predicted = predict(model, fresh.view());
    double squares = 0;
    for (std::size_t r = 0; r < fresh.count; ++r) squares += std::pow(fresh.y[r] - predicted[r], 2);
    const double found = std::sqrt(squares / static_cast<double>(fresh.count));
    EXPECT_NEAR(model.summary.accuracy->rmse, found, 0.12 * found);
  }
}

TEST(LimitedFit, HasNoMoreTermsThanWereAskedFor) {
  const test::Rows rows = rows_of(300, 967);
  for (const int most : {1, 2}) {
    const Model model = fit(rows.view(), rows.y, with(false, most));
    EXPECT_LE(model.design.terms().size(), static_cast<std::size_t>(most));
    EXPECT_EQ(model.summary.max_terms, static_cast<std::size_t>(most));
    ASSERT_FALSE(model.design.terms().empty());
    EXPECT_EQ(model.design.terms()[0].features, (std::vector<std::size_t>{0})) << "the one that matters";
  }
}

TEST(LimitedFit, RefusesPairsThatItHasNoRoomFor) {
  Options options = with(false, 2);
  options.structure = StructureChoice::pairwise;
  const test::Rows rows = rows_of(100, 969);
  const Error refused = test::error_of([&] { fit(rows.view(), rows.y, options); });
  EXPECT_EQ(refused.reason(), "max_terms_forbids_pairs");
}

TEST(SimplestFit, IsKeptWithTheModel) {
  const test::Rows rows = rows_of(200, 971);
  const Model model = fit(rows.view(), rows.y, with(true, 3));
  const Model read = model_from_bytes(to_bytes(model));
  EXPECT_TRUE(read.summary.simplest);
  EXPECT_EQ(read.summary.max_terms, 3U);
  ASSERT_EQ(read.summary.stages.size(), model.summary.stages.size());
  for (std::size_t i = 0; i < read.summary.stages.size(); ++i)
    EXPECT_EQ(read.summary.stages[i].few_terms, model.summary.stages[i].few_terms);
  EXPECT_EQ(read.summary.accuracy->by_prediction.size(), model.summary.accuracy->by_prediction.size());
  EXPECT_EQ(to_bytes(read), to_bytes(model));
}

}  // namespace
}  // namespace kore
