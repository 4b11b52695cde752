// Every kind of pass: what partitions add up to, what travels, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kore/response.hpp"
#include "pass/dense_pass.hpp"
#include "pass/format.hpp"
#include "pass/gram_passes.hpp"
#include "pass/press_passes.hpp"
#include "pass/shifted_source.hpp"
#include "pass/survey_passes.hpp"
#include "support/mixed_design.hpp"
#include "support/refusal.hpp"
#include "support/scattered_source.hpp"

namespace kore {
namespace {

using Bytes = std::vector<std::byte>;
using test::mixed_design;
using test::Rows;
using test::ScatteredSource;

Rows weighted_rows() {
  Rows rows = test::mixed_rows(1500, 5);
  rows.weights = test::uneven_weights(1500, 6);
  rows.weights[17] = 0;
  return rows;
}

void append(std::vector<double>& values, const GramAccumulator& gram, bool diagonal, bool all) {
  for (const auto& part : {gram.sums(), gram.target_products()})
    values.insert(values.end(), part.begin(), part.end());
  values.insert(values.end(), {gram.weight_sum(), gram.target_sum(), gram.target_squares()});
  const std::size_t terms = gram.design().terms().size();
  for (std::size_t t = 0; t < terms && diagonal; ++t)
    for (std::size_t u = t; u < (all ? terms : t + 1); ++u) {
      const std::vector<double> block = gram.block(t, u);
      values.insert(values.end(), block.begin(), block.end());
    }
}

std::vector<double> numbers_of(SurveyPass& pass) {
  const RangeAccumulator& sums = pass.ranges();
  std::vector<double> values{static_cast<double>(sums.rows()), sums.weight_sum(), sums.target_mean(),
                             sums.target_variance()};
  for (const Range& range : sums.ranges()) values.insert(values.end(), {range.lowest, range.highest});
  if (!pass.sample()) return values;
  const RowSample::Rows rows = std::move(*pass.sample()).take();
  for (const std::vector<double>* more : {&rows.x, &rows.y, &rows.weights})
    values.insert(values.end(), more->begin(), more->end());
  return values;
}
std::vector<double> numbers_of(EqualFeaturesPass& pass) {
  return {pass.equal(0) ? 1.0 : 0.0, pass.equal(1) ? 1.0 : 0.0};
}
std::vector<double> numbers_of(GramPass& pass) {
  std::vector<double> values;
  for (const GramAccumulator& gram : std::move(pass).take()) append(values, gram, true, true);
  return values;
}
std::vector<double> numbers_of(ResidualGramPass& pass) {
  std::vector<double> values;
  bool diagonal = false;  // the second part
  for (const GramAccumulator& gram : std::move(pass).take()) {
    append(values, gram, diagonal, false);
    diagonal = true;
  }
  return values;
}
std::vector<double> numbers_of(DensePass& pass) {
  const NormalEquations equations = std::move(pass).take();
  std::vector<double> values = equations.right;
  const std::size_t p = equations.right.size();
  for (std::size_t j = 0; j < p; ++j)  // the lower triangle; the rest means nothing
    for (std::size_t i = j; i < p; ++i) values.push_back(equations.matrix[j * p + i]);
  return values;
}
std::vector<double> numbers_of(PressPass& pass) {
  std::vector<double> values;
  for (const PressSums& sums : pass.sums())
    values.insert(values.end(),
                  {static_cast<double>(sums.rows), sums.weight_sum, sums.left_out_loss, sums.loss,
                   sums.leverage, sums.max_leverage, sums.gain_mean, sums.gain_squares});
  for (const auto& kept : pass.residuals())
    for (const auto& [residual, weight] : kept) values.insert(values.end(), {residual, weight});
  return values;
}
Design additive_design() { return mixed_design(3, Parametrisation::first_block_full); }

/// Fits for the passes that need some: with leverages from the inverse, by triangles, and with none.
struct Fits {
  explicit Fits(const Rows& rows) : gram(mixed_design(2)), straight(additive_design()) {
    gram.add(working_block(rows.block()));
    straight.add(working_block(rows.block()));
    SmootherOptions options;
    options.ridge = 1e-6;
    options.penalties.push_back(
        {1, std::vector<double>(gram.design().term_columns(1) * gram.design().term_columns(1), 0.01)});
    by_inverse.emplace(gram, options);
    options.dense_leverages = true;
    by_triangles.emplace(gram, options);
    SmootherOptions plain;
    plain.leverages = false;
    without.emplace(straight, plain);
  }
  GramAccumulator gram;
  GramAccumulator straight;
  std::optional<Smoother> by_inverse;
  std::optional<Smoother> by_triangles;
  std::optional<Smoother> without;
};

/// A pass of one kind, and what it has added up.
struct Kind {
  std::string name;
  std::function<std::unique_ptr<Pass>()> make;
  std::function<std::vector<double>(Pass&)> numbers;
};

template <class Made, class Make>
Kind kind(std::string name, const Make& make) {
  return {std::move(name), [make]() -> std::unique_ptr<Pass> { return make(); },
          [](Pass& pass) { return numbers_of(dynamic_cast<Made&>(pass)); }};
}

std::vector<Kind> kinds(const Fits& fits) {
  std::vector<Kind> all;
  const std::vector<std::string> names{"a", "b", "c", "d", "e", "f", "g"};
  for (const std::size_t sample_rows : {0U, 200U})
    all.push_back(
        kind<SurveyPass>("survey", [=] { return std::make_unique<SurveyPass>(7, names, sample_rows); }));
  all.push_back(kind<EqualFeaturesPass>("equal columns", [] {
    return std::make_unique<EqualFeaturesPass>(7, std::vector<EqualFeaturesPass::Pair>{{0, 1}, {2, 2}});
  }));
  all.push_back(kind<GramPass>("gram", [] {
    return std::make_unique<GramPass>(std::vector<Design>{mixed_design(3), additive_design()});
  }));
  all.push_back(kind<ResidualGramPass>("residual products", [&fits] {
    auto pass = std::make_unique<ResidualGramPass>();
    pass->include(*fits.by_inverse, fits.by_inverse->design(), GramBlocks::none);
    pass->include(*fits.without, mixed_design(1), GramBlocks::diagonal);
    return pass;
  }));
  all.push_back(kind<DensePass>("dense products", [&fits] {
    return std::make_unique<DensePass>(
        fits.gram.design(), term_maps(fits.gram.design(), fits.gram.sums(), fits.gram.weight_sum()));
  }));
  all.push_back(kind<PressPass>("press", [&fits] {
    const Smoother* const several[]{&*fits.by_inverse, &*fits.by_triangles, &*fits.without};
    return std::make_unique<PressPass>(several);
  }));
  all.push_back(kind<PressPass>("press", [&fits] {
    const Smoother* const several[]{&*fits.by_inverse, &*fits.without};
    return std::make_unique<PressPass>(several, 1);
  }));
  return all;
}

class EveryPass : public testing::Test {
 protected:
  Rows rows = weighted_rows();
  Fits fits{rows};
  std::vector<Kind> all = kinds(fits);

  Bytes result_of(const Kind& kind) const {
    const auto pass = kind.make();
    pass->add(rows.block(), 1);
    return pass->serialize();
  }
};

void expect_close(const std::vector<double>& ours, const std::vector<double>& theirs, double tolerance) {
  ASSERT_EQ(ours.size(), theirs.size());
  ASSERT_FALSE(ours.empty());
  double scale = 0;
  for (const double value : theirs) scale = std::max(scale, std::abs(value));
  for (std::size_t i = 0; i < ours.size(); ++i) ASSERT_NEAR(ours[i], theirs[i], tolerance * scale) << i;
}

TEST_F(EveryPass, OfPartitionsElsewhereAddsUpToTheWhole) {
  const ScatteredSource scattered(rows);
  for (const Kind& kind : all) {
    SCOPED_TRACE(kind.name);
    const auto here = kind.make();
    rows.source().run(*here, 2);
    const auto there = kind.make();
    scattered.run(*there, 1);
    expect_close(kind.numbers(*there), kind.numbers(*here), 1e-12);
  }
}

TEST_F(EveryPass, OverShiftedRowsShiftsThemWhereTheyAre) {
  Rows shifted = rows;
  for (double& y : shifted.y) y = (y - 2.5) / 4;
  const ScatteredSource scattered(rows);
  for (const Kind& kind : all) {
    SCOPED_TRACE(kind.name);
    const auto here = kind.make();
    shifted.source().run(*here, 1);
    const auto there = kind.make();
    ShiftedSource(scattered, 2.5, 4).run(*there, 1);
    expect_close(kind.numbers(*there), kind.numbers(*here), 1e-12);
  }
}

TEST_F(EveryPass, OverAnotherScaleTakesItWhereTheRowsAre) {
  Rows positive = rows;
  for (double& y : positive.y) y = std::exp(y);
  Rows scaled = rows;
  for (double& y : scaled.y) y = (std::log(std::exp(y)) - 0.5) / 2;
  const ScatteredSource scattered(positive);
  for (const Kind& kind : all) {
    SCOPED_TRACE(kind.name);
    const auto here = kind.make();
    scaled.source().run(*here, 1);
    const auto there = kind.make();
    ShiftedSource(scattered, TargetShift{0.5, 2, TargetScale::logarithm}).run(*there, 1);
    expect_close(kind.numbers(*there), kind.numbers(*here), 1e-11);
  }
}

TEST_F(EveryPass, FromATaskHasTheSameTask) {
  for (const Kind& kind : all) {
    SCOPED_TRACE(kind.name);
    const Bytes task = kind.make()->task();
    const auto made = pass_from_task(task);
    EXPECT_TRUE(made->task() == task);
    EXPECT_EQ(made->facts().kind, kind.name);
    EXPECT_EQ(made->facts().features, 7U);
    EXPECT_EQ(made->facts().columns, kind.make()->facts().columns);
  }
}

TEST_F(EveryPass, TellsHowManyBytesItsResultTakesAtMost) {
  for (const Kind& kind : all) {
    SCOPED_TRACE(kind.name);
    EXPECT_LE(result_of(kind).size(), kind.make()->facts().result_bytes + 256);
  }
}

TEST_F(EveryPass, IsLeftAsItWasByAResultWithoutRows) {
  for (const Kind& kind : all) {
    SCOPED_TRACE(kind.name);
    const auto empty = pass_from_task(kind.make()->task());
    const auto plain = kind.make();
    plain->merge(result_of(kind));
    const auto pass = kind.make();
    pass->merge(empty->serialize());
    pass->merge(result_of(kind));
    pass->merge(empty->serialize());
    EXPECT_EQ(kind.numbers(*pass), kind.numbers(*plain));
  }
}

TEST_F(EveryPass, RefusesDamagedTasks) {
  for (const Kind& kind : all) {
    SCOPED_TRACE(kind.name);
    const Bytes task = kind.make()->task();
    EXPECT_THROW(pass_from_task({}), Error);
    for (std::size_t at = 0; at < task.size(); at += 1 + task.size() / 50) {
      Bytes damaged = task;
      damaged[at] ^= std::byte{0x10};
      EXPECT_THROW(pass_from_task(damaged), Error) << at;
      EXPECT_THROW(pass_from_task(std::span(task).first(at)), Error) << at;
    }
  }
}

TEST_F(EveryPass, RefusesDamagedResults) {
  for (const Kind& kind : all) {
    SCOPED_TRACE(kind.name);
    const Bytes result = result_of(kind);
    const auto pass = kind.make();
    for (std::size_t at = 0; at < result.size(); at += 1 + result.size() / 50) {
      Bytes damaged = result;
      damaged[at] ^= std::byte{0x10};
      EXPECT_THROW(pass->merge(damaged), Error) << at;
      EXPECT_THROW(pass->merge(std::span(result).first(at)), Error) << at;
    }
  }
}

TEST_F(EveryPass, RefusesTheResultsOfOthers) {
  for (const Kind& kind : all)
    for (const Kind& other : all) {
      if (kind.name == other.name) continue;
      SCOPED_TRACE(kind.name + " given " + other.name);
      const auto pass = kind.make();
      const Bytes result = result_of(other);
      EXPECT_EQ(test::refusal(ErrorCode::corrupt_file, [&] { pass->merge(result); }),
                "The KORE result belongs to another task.");
    }
}

TEST(TasksAsBytes, OfASurveyHaveNoMoreColumnsThanNames) {
  ByteWriter out;
  out.u64(std::uint64_t{1} << 60U);
  out.u64(200);
  out.u64(0);
  const Bytes task = seal_task(PassKind::survey, out.bytes());
  EXPECT_EQ(test::refusal(ErrorCode::corrupt_file, [&] { pass_from_task(task); }),
            "The KORE task contradicts itself: it is damaged.");
  const Bytes unnamed = SurveyPass(3, {}, 200).task();
  EXPECT_EQ(pass_from_task(unnamed)->facts().features, 3U);
}

TEST(TasksAsBytes, OfASurveyTellBytesThatNoNumberHoldsAsTheLargest) {
  const SurveyPass everything(3, {}, std::size_t{1} << 62U);
  EXPECT_EQ(pass_from_task(everything.task())->facts().result_bytes, std::numeric_limits<std::size_t>::max());
}

TEST(TasksAsBytes, ShiftTheTargetOnce) {
  SurveyPass survey(3, {});
  const TargetShift shift{1, 2, TargetScale::identity};
  ShiftedPass once(survey, shift);
  ShiftedPass twice(once, shift);
  EXPECT_EQ(pass_from_task(once.task())->facts().kind, "survey");
  const Bytes task = twice.task();
  EXPECT_EQ(test::refusal(ErrorCode::corrupt_file, [&] { pass_from_task(task); }),
            "The KORE task contradicts itself: it is damaged.");
}

TEST(ResidualSample, OfShortPartsElsewhereKeepsItsShare) {
  const Rows rows = weighted_rows();
  const Fits fits(rows);
  constexpr std::size_t step = 10;
  const ScatteredSource scattered(rows, {3});  // every part shorter than a step
  const Smoother* const fit[]{&*fits.by_inverse};
  PressPass pass(fit, step);
  scattered.run(pass, 1);
  const auto kept = static_cast<double>(pass.residuals().front().size());
  const double expected = static_cast<double>(rows.count) / step;
  EXPECT_NEAR(kept, expected, 4 * std::sqrt(expected));
}

TEST(ResidualSample, HereIsEveryRowThatIsAStepAwayHoweverTheBlocksFall) {
  const Rows rows = weighted_rows();
  const Fits fits(rows);
  const Smoother* const fit[]{&*fits.by_inverse};
  std::vector<double> all(rows.count);
  fits.by_inverse->press(rows.block(), 1, {all, {}});
  for (const std::size_t step : {1U, 7U, 100U}) {
    PressPass pass(fit, step);
    for (std::size_t first = 0; first < rows.count; first += 9)
      pass.add(rows.slice(first, std::min<std::size_t>(9, rows.count - first)).block(), 1);
    std::vector<double> expected;
    for (std::size_t r = 0; r < rows.count; r += step)
      if (rows.block().weight(r) > 0) expected.push_back(all[r]);
    ASSERT_EQ(pass.residuals().front().size(), expected.size()) << step;
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(pass.residuals().front()[i].residual, expected[i], 1e-12);
  }
}

TEST(AFitAsBytes, IsTheSameFit) {
  const Rows rows = weighted_rows();
  const Fits fits(rows);
  for (const Smoother* fit : {&*fits.by_inverse, &*fits.by_triangles, &*fits.without}) {
    const Smoother again = Smoother::deserialize(fit->serialize());
    EXPECT_EQ(again.solution(), fit->solution());
    EXPECT_EQ(again.coefficients(), fit->coefficients());
    EXPECT_EQ(again.intercept(), fit->intercept());
    EXPECT_EQ(again.inverse_diagonal(), fit->inverse_diagonal());
    const std::size_t terms[]{1};
    EXPECT_EQ(again.covariances(terms), fit->covariances(terms));
    EXPECT_EQ(again.uses_inverse(), fit->uses_inverse());
    EXPECT_EQ(again.press(rows.block()).left_out_loss, fit->press(rows.block()).left_out_loss);
  }
}

}  // namespace
}  // namespace kore
