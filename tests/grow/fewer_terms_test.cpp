// Models of fewer terms, and the choice of the simplest one.
#include "grow/fewer_terms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "grow/judgement.hpp"
#include "grow/made_up_growth.hpp"
#include "grow/referee.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::MadeUpGrowth;
using test::Rows;

/// Main effects of falling size, and a pair of the first two features that is larger than the last.
Rows rows_with_a_pair() {
  Rows rows = made_up_rows(600, 4, 941);
  test::Uniform uniform(942);
  for (std::size_t r = 0; r < rows.count; ++r)
    rows.y[r] = 4 * std::sin(4 * rows.at(r, 0)) + 2 * rows.at(r, 1) +
                6 * (rows.at(r, 0) - 0.5) * (rows.at(r, 1) - 0.5) + 0.3 * rows.at(r, 2) +
                uniform.between(-0.2, 0.2);
  return rows;
}

GrownTerm term_of(std::vector<std::size_t> features) {
  GrownTerm grown;
  grown.term.resolutions.assign(features.size(), 1);
  grown.term.features = std::move(features);
  return grown;
}

TEST(ShownTerms, CountTheSimplerEffectsOfInteractions) {
  EXPECT_EQ(shown_terms({term_of({0}), term_of({1})}), 2U);
  EXPECT_EQ(shown_terms({term_of({0}), term_of({0, 1})}), 3U) << "0, 1 and both together";
  EXPECT_EQ(shown_terms({term_of({2, 0, 1})}), 7U);
  EXPECT_EQ(shown_terms({term_of({1, 0}), term_of({0, 1, 2})}), 7U)
      << "the pair is among those of the triple";
}

TEST(FewerTerms, KeepThoseThatMatterMostWithTheirSimplerOnes) {
  const MadeUpGrowth made_up(rows_with_a_pair());
  const Growth growth = grow(made_up.data, {});
  const Stage& chosen = growth.stages[growth.chosen];
  ASSERT_GE(chosen.order(), 2U);
  const auto features = [&](std::size_t most) {
    std::vector<std::vector<std::size_t>> all;
    for (const GrownTerm& grown : most_important_terms(made_up.data, chosen, most))
      all.push_back(grown.term.features);
    return all;
  };
  EXPECT_EQ(features(1), (std::vector<std::vector<std::size_t>>{{0}}));
  EXPECT_EQ(features(2), (std::vector<std::vector<std::size_t>>{{0}, {1}})) << "a pair would show three";
  EXPECT_EQ(features(3), (std::vector<std::vector<std::size_t>>{{0}, {1}, {0, 1}}));
}

TEST(FewerTerms, LimitEveryStage) {
  const MadeUpGrowth made_up(rows_with_a_pair());
  GrowOptions options;
  options.max_terms = 2;
  const Growth growth = grow(made_up.data, options);
  ASSERT_FALSE(growth.stages.empty());
  for (const Stage& stage : growth.stages) EXPECT_LE(shown_terms(stage.terms), 2U);
  // Fitted again without the others, and not cut out of the larger model: its left-out errors are those of a
  // fit to these terms alone.
  const Stage& mains = *stage_of(growth, StageKind::main_effects);
  const Stage alone = fit_penalised(made_up.data, mains.terms);
  EXPECT_NEAR(alone.loo(), mains.loo(), 1e-3 * mains.loo());
}

TEST(FewerTerms, CompeteBesideTheOthersWhereASimpleModelIsWanted) {
  const MadeUpGrowth made_up(rows_with_a_pair());
  const Growth plain = grow(made_up.data, {});
  GrowOptions options;
  options.few_terms = true;
  const Growth growth = grow(made_up.data, options);
  EXPECT_EQ(growth.stages[growth.chosen].kind, plain.stages[plain.chosen].kind);
  EXPECT_EQ(growth.stages[growth.chosen].loo(), plain.stages[plain.chosen].loo());
  const Stage* one = stage_of(growth, StageKind::one_term);
  const Stage* three = stage_of(growth, StageKind::three_terms);
  ASSERT_NE(one, nullptr);
  ASSERT_NE(three, nullptr);
  EXPECT_EQ(one->terms.size(), 1U);
  EXPECT_LT(three->loo(), one->loo());
  EXPECT_EQ(stage_of(plain, StageKind::one_term), nullptr);
}

/// Candidates with errors of 1, -1, 1, ... times a size, so that losses have no spread but where a row says.
struct SizedCase {
  SizedCase() {
    for (std::size_t r = 0; r < 100; ++r) {
      units.push_back(r + 1);
      folds.push_back(r % 5);
      // The loss of the best varies, with a mean of 1: by four in ten rows, so that its standard error is
      // 0.12.
      spread.push_back(r % 10 == 0 ? std::sqrt(4.6) : std::sqrt(0.6));
    }
    left_out.assign(candidates().size(), std::vector<double>(100, 10.0));
    competing.assign(candidates().size(), true);
    sizes.assign(candidates().size(), 20.0);
  }
  void set(std::size_t candidate, double loss, double size) {
    left_out[candidate] = spread;
    for (double& value : left_out[candidate]) value *= std::sqrt(loss);
    sizes[candidate] = size;
  }
  std::size_t chosen(bool simplest) const {
    const CandidatesOnScale scale{left_out, competing,
                                  simplest ? std::span<const double>(sizes) : std::span<const double>()};
    return judge(std::span(&scale, 1), {&normal_response(), target, weights, units, folds}).chosen;
  }

  std::vector<double> target = std::vector<double>(100);
  std::vector<double> weights = std::vector<double>(100, 1.0);
  std::vector<std::uint64_t> units;
  std::vector<std::size_t> folds;
  std::vector<double> spread;
  LeftOut left_out;
  std::vector<bool> competing;
  std::vector<double> sizes;
};

TEST(SimplestModel, IsWithinOneStandardErrorOfTheBest) {
  SizedCase made;
  const std::size_t pairs = candidates().size() - 5;
  ASSERT_TRUE(candidates()[pairs - 1].penalised());
  made.set(pairs - 1, 1, 12);  // the best
  made.set(7, 1.1, 4);         // within a standard error, 0.12
  made.set(3, 1.2, 3);         // beyond it
  EXPECT_EQ(made.chosen(false), pairs - 1);
  EXPECT_EQ(made.chosen(true), 7U);
  made.set(3, 1.11, 3);
  EXPECT_EQ(made.chosen(true), 3U);
}

TEST(SimplestModel, IsNeverTheConstantThatWasBeaten) {
  SizedCase made;
  made.set(0, 1.05, 0);
  made.set(7, 1, 4);
  // Clearly better than the constant row by row, though their losses are within a standard error.
  EXPECT_EQ(made.chosen(false), 7U);
  EXPECT_EQ(made.chosen(true), 7U);
}

}  // namespace
}  // namespace kore
