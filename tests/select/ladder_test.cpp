// The full-grid methods on data, against dense fits.
#include "kore/ladder.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/made_up_rows.hpp"
#include "support/press_oracle.hpp"
#include "support/refusal.hpp"
#include "support/streaming_source.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::refusal;
using test::Rows;

const std::vector<FeaturePair> one_pair{{0, 1}};

LadderOptions small_grid() {
  LadderOptions options;
  options.degree = 2;
  options.max_resolution_additive = 4;
  options.max_resolution_pairwise = 3;
  options.seed = 5;
  return options;
}

Design family_design(Structure structure, const std::vector<Feature>& features, int resolution, int degree) {
  return structure == Structure::additive ? Design::additive(features, resolution, degree)
                                          : Design::pairwise(features, one_pair, resolution, degree);
}

SmootherOptions solver(const LadderOptions& options) {
  SmootherOptions solver;
  solver.ridge = options.ridge;
  solver.relative_ridge = options.relative_ridge;
  return solver;
}

/// Every candidate with its residual sum of squares from a dense fit.
std::vector<LadderCandidate> dense_candidates(const Rows& rows, const LadderOptions& options, bool pairwise) {
  std::vector<LadderCandidate> candidates;
  const RowBlock block = rows.block();
  double n = 0;
  for (std::size_t r = 0; r < rows.count; ++r) n += block.weight(r);
  const auto add = [&](Structure structure, int g) {
    const Design design = family_design(structure, rows.features(), g, options.degree);
    const auto p = static_cast<double>(design.columns());
    if (structure == Structure::pairwise && p >= options.stability * n) return;
    const test::PressOracle oracle(design, block, solver(options));
    const test::Vector solution = oracle.solution();
    double rss = 0;
    for (std::size_t r = 0; r < rows.count; ++r) {
      const auto residual = static_cast<double>(rows.y[r] - test::dot(oracle.row(r), solution));
      rss += block.weight(r) * residual * residual;
    }
    candidates.push_back({structure, g, p, rss});
  };
  for (int g = options.lowest; g <= options.max_resolution_additive; ++g) add(Structure::additive, g);
  for (int g = options.lowest; pairwise && g <= options.max_resolution_pairwise; ++g)
    add(Structure::pairwise, g);
  return candidates;
}

void expect_criteria(const Rows& rows, const LadderOptions& options, bool pairwise) {
  const auto pairs = pairwise ? one_pair : std::vector<FeaturePair>{};
  const auto ours = criteria_ladder(rows.source(), rows.features(), pairs, options);
  const std::vector<LadderCandidate> candidates = dense_candidates(rows, options, pairwise);
  double n = 0;
  for (std::size_t r = 0; r < rows.count; ++r) n += rows.block().weight(r);
  const Criterion order[] = {Criterion::gcv, Criterion::cp, Criterion::aic, Criterion::bic};
  ASSERT_EQ(ours.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const LadderChoice expected = choose_by_criterion(order[i], candidates, n, pairwise ? 2 : 1);
    EXPECT_EQ(ours[i].method, to_string(order[i]));
    EXPECT_EQ(ours[i].structure, expected.structure) << ours[i].method;
    EXPECT_EQ(ours[i].resolution, expected.resolution) << ours[i].method;
    EXPECT_EQ(ours[i].fits, expected.fits) << ours[i].method;
    EXPECT_NEAR(ours[i].score, expected.score, 1e-8 * std::max(1.0, std::abs(expected.score)))
        << ours[i].method;
  }
}

/// Mean over the folds of the test error of a fit to the other rows, knots and means included.
double dense_cross_validation(const Rows& rows, Structure structure, int resolution,
                              const LadderOptions& options) {
  double score = 0;
  for (const auto& held_out : shuffled_folds(rows.count, options.folds, options.seed)) {
    std::vector<std::size_t> kept;
    for (std::size_t r = 0; r < rows.count; ++r)
      if (!std::binary_search(held_out.begin(), held_out.end(), r)) kept.push_back(r);
    const Rows train = rows.pick(kept);
    const Rows test_rows = rows.pick(held_out);
    const Design design = family_design(structure, train.features(), resolution, options.degree);
    const test::Vector solution = test::PressOracle(design, train.block(), solver(options)).solution();
    const test::Matrix dense = test::dense_design(design, test_rows.block(), train.block());
    double squares = 0;
    double weight = 0;
    for (std::size_t r = 0; r < test_rows.count; ++r) {
      const auto residual = static_cast<double>(test_rows.y[r] - test::dot(dense[r], solution));
      squares += test_rows.block().weight(r) * residual * residual;
      weight += test_rows.block().weight(r);
    }
    score += squares / weight / options.folds;
  }
  return score;
}

void expect_cross_validation(const Rows& rows, const LadderOptions& options, bool pairwise) {
  LadderChoice expected{"cv", Structure::additive, 0, std::numeric_limits<double>::infinity(), 1};
  const auto offer = [&](Structure structure, int g) {
    const double score = dense_cross_validation(rows, structure, g, options);
    expected.fits += options.folds;
    if (score < expected.score) {
      expected.structure = structure;
      expected.resolution = g;
      expected.score = score;
    }
  };
  for (int g = options.lowest; g <= options.max_resolution_additive; ++g) offer(Structure::additive, g);
  for (int g = options.lowest; pairwise && g <= options.max_resolution_pairwise; ++g)
    offer(Structure::pairwise, g);
  const LadderChoice ours =
      cross_validate(rows.block(), pairwise ? one_pair : std::vector<FeaturePair>{}, options);
  EXPECT_EQ(ours.method, "cv");
  EXPECT_EQ(ours.structure, expected.structure);
  EXPECT_EQ(ours.resolution, expected.resolution);
  EXPECT_EQ(ours.fits, expected.fits);
  EXPECT_NEAR(ours.score / expected.score, 1, 1e-8);
}

TEST(CriteriaLadder, ChoosesAsDenseFitsWould) {
  const Rows rows = made_up_rows(90, 2, 221);
  expect_criteria(rows, small_grid(), true);
  expect_criteria(rows, small_grid(), false);
}

TEST(CriteriaLadder, ChoosesAsDenseFitsWouldUnderWeights) {
  Rows rows = made_up_rows(90, 2, 222);
  rows.weights = test::uneven_weights(rows.count, 223);
  LadderOptions options = small_grid();
  options.lowest = 2;
  options.ridge = 1e-6;
  options.relative_ridge = true;
  expect_criteria(rows, options, true);
}

TEST(CriteriaLadder, LeavesOutPairwiseCandidatesThatAreNotStable) {
  const Rows rows =
      made_up_rows(50, 2, 224);  // p = 22 at resolution 2 is not below 22.5 by much, 37 at 3 is not
  expect_criteria(rows, small_grid(), true);
  const Rows few = made_up_rows(15, 2, 225);  // no pairwise candidate at all
  expect_criteria(few, small_grid(), true);
}

TEST(CriteriaLadder, SharesTwoPassesPerFamilyOverAStream) {
  const Rows rows = made_up_rows(700, 2, 226);
  const test::StreamingSource stream(rows);
  const auto streamed = criteria_ladder(stream, rows.features(), one_pair, small_grid());
  EXPECT_EQ(stream.passes(), 5);  // one to look at the rows, two for each structure
  const auto in_memory = criteria_ladder(rows.source(), rows.features(), one_pair, small_grid());
  for (std::size_t i = 0; i < streamed.size(); ++i) {
    EXPECT_EQ(streamed[i].structure, in_memory[i].structure);
    EXPECT_EQ(streamed[i].resolution, in_memory[i].resolution);
    EXPECT_EQ(streamed[i].fits, in_memory[i].fits);
    EXPECT_NEAR(streamed[i].score / in_memory[i].score, 1, 1e-9);
  }
}

TEST(CriteriaLadder, RefusesBadInput) {
  const Rows rows = made_up_rows(60, 2, 227);
  const auto refused = [&](ErrorCode code, const Rows& data, const std::vector<FeaturePair>& pairs,
                           const LadderOptions& options) {
    return refusal(code, [&] { criteria_ladder(data.source(), rows.features(), pairs, options); });
  };
  EXPECT_EQ(refused(ErrorCode::invalid_argument, rows, {{0, 2}}, small_grid()),
            "The pair (0, 2) is out of range: there are 2 features, counted from 0.");
  Rows broken = rows;
  broken.at(4, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refused(ErrorCode::invalid_data, broken, {}, small_grid()),
            "In column 1, row 4 (counted from 0): the value is infinite. Only finite numbers can be used.");
  EXPECT_EQ(refused(ErrorCode::too_few_rows, made_up_rows(0, 2, 1), {}, small_grid()),
            "The data have no rows.");
  LadderOptions options = small_grid();
  options.lowest = 9;
  EXPECT_EQ(refused(ErrorCode::invalid_argument, rows, one_pair, options),
            "There is no candidate to choose from; fit at least one resolution.");
}

TEST(CrossValidation, ChoosesAsDenseFitsWould) {
  // With little noise the pairwise family wins, with much of it a coarse additive fit.
  for (const double noise : {0.1, 2.0}) {
    const Rows rows = made_up_rows(90, 2, 231, noise);
    expect_cross_validation(rows, small_grid(), true);
    expect_cross_validation(rows, small_grid(), false);
  }
}

TEST(CriteriaLadder, DoesNotFitAgainWhatIsKnown) {
  const Rows rows = made_up_rows(90, 2, 221);
  const MemorySource source = rows.source();
  const LadderOptions options = small_grid();
  // A made-up residual sum that no fit would give: chosen only if it was taken as it is.
  const std::vector<LadderCandidate> known{{Structure::pairwise, 2, 10, 1e-9},
                                           {Structure::additive, 99, 1, 0}};
  for (const LadderChoice& choice : criteria_ladder(source, rows.features(), one_pair, options, known)) {
    EXPECT_EQ(choice.structure, Structure::pairwise) << choice.method;
    EXPECT_EQ(choice.resolution, 2) << choice.method;
  }
}

TEST(CriteriaLadder, LeavesOutCandidatesWithTooManyColumns) {
  const Rows rows = made_up_rows(200, 2, 222);
  const MemorySource source = rows.source();
  LadderOptions options = small_grid();
  options.max_columns = 8;  // two features: 5 and 7 columns at G = 1 and 2; 9 with their pair
  for (const LadderChoice& choice : criteria_ladder(source, rows.features(), one_pair, options)) {
    EXPECT_EQ(choice.structure, Structure::additive) << choice.method;
    EXPECT_LE(choice.resolution, 2) << choice.method;
    EXPECT_EQ(choice.fits, 2 + 2) << choice.method;
  }
  EXPECT_LE(cross_validate(rows.block(), one_pair, options).resolution, 2);
}

TEST(CrossValidation, FitsLinesWhereFeaturesAreLines) {
  Rows rows = made_up_rows(120, 2, 239);
  LadderOptions options = small_grid();
  options.kinds = {FeatureKind::linear, FeatureKind::linear};
  const LadderChoice choice = cross_validate(rows.block(), {}, options);
  EXPECT_EQ(choice.resolution, options.lowest);  // lines know no resolution, and the first of equals is kept
  options.kinds = {FeatureKind::linear};
  EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { cross_validate(rows.block(), {}, options); }),
            "There are 1 kinds for 2 features; give one for each, or none.");
}

TEST(CrossValidation, KeepsTheFirstOfEqualScores) {
  // Constant features have no functions at any resolution, so that every candidate is the same.
  Rows rows = made_up_rows(60, 2, 238);
  std::fill(rows.x.begin(), rows.x.end(), 0.5);
  const LadderChoice choice = cross_validate(rows.block(), {}, small_grid());
  EXPECT_EQ(choice.resolution, 1);
}

TEST(CrossValidation, ChoosesAsDenseFitsWouldUnderWeights) {
  Rows rows = made_up_rows(80, 2, 232);
  rows.weights = test::uneven_weights(rows.count, 233);
  LadderOptions options = small_grid();
  options.folds = 5;
  options.lowest = 2;
  options.ridge = 1e-6;
  options.relative_ridge = true;
  expect_cross_validation(rows, options, true);
}

TEST(CrossValidation, GivesTheSameOnAnyNumberOfThreads) {
  const Rows rows = made_up_rows(5000, 2, 234);
  LadderOptions options = small_grid();
  const LadderChoice alone = cross_validate(rows.block(), one_pair, options);
  for (const int threads : {0, 2, 4}) {
    options.threads = threads;
    const LadderChoice choice = cross_validate(rows.block(), one_pair, options);
    EXPECT_EQ(choice.resolution, alone.resolution) << threads << " threads";
    EXPECT_EQ(choice.score, alone.score) << threads << " threads";
  }
}

TEST(CrossValidation, RefusesAFoldThatWeighsNothing) {
  Rows rows = made_up_rows(60, 2, 235);
  rows.weights.assign(rows.count, 1.0);
  LadderOptions options = small_grid();
  const auto folds = shuffled_folds(rows.count, options.folds, options.seed);
  for (const std::size_t r : folds[1]) rows.weights[r] = 0;
  EXPECT_EQ(refusal(ErrorCode::invalid_data, [&] { cross_validate(rows.block(), {}, options); }),
            "All rows of a fold have weight zero, so that it cannot be tested on. Drop rows of weight zero.");
}

TEST(CrossValidation, RefusesBadOptions) {
  const Rows rows = made_up_rows(10, 2, 236);
  const auto refused = [&](auto change, const std::vector<FeaturePair>& pairs = {}) {
    LadderOptions options = small_grid();
    change(options);
    return refusal(ErrorCode::invalid_argument, [&] { cross_validate(rows.block(), pairs, options); });
  };
  const auto folds_sentence = [](int folds) {
    return "Cross-validation with " + std::to_string(folds) +
           " folds needs at least two folds and as many rows; there are 10 rows.";
  };
  for (const int folds : {-1, 0, 1, 11})
    EXPECT_EQ(refused([&](LadderOptions& o) { o.folds = folds; }), folds_sentence(folds));
  const auto nothing = [](LadderOptions&) {};
  EXPECT_EQ(refused(nothing, {{0, 2}}),
            "The pair (0, 2) is out of range: there are 2 features, counted from 0.");
  EXPECT_EQ(refused(nothing, {{1, 1}}),
            "The pair (1, 1) joins a feature with itself. A pair needs two different features.");
  EXPECT_EQ(refused(nothing, {{0, 1}, {1, 0}}), "The pair (1, 0) is given twice.");
  EXPECT_EQ(refused([](LadderOptions& o) { o.degree = 8; }),
            "The spline degree is 8; it must lie between 1 and 7.");
  EXPECT_EQ(refused([](LadderOptions& o) { o.lowest = 0; }),
            "The term feature 0 has a resolution of 0; it must be at least 1.");
  EXPECT_EQ(refused([](LadderOptions& o) { o.lowest = 5; }),
            "There is no candidate to choose from; fit at least one resolution.");
  EXPECT_EQ(refused([](LadderOptions& o) { o.threads = -1; }),
            "The number of threads is -1; it must be positive, or 0 for all cores.");
}

TEST(CrossValidation, RefusesBadData) {
  const auto refused = [](const RowBlock& data) {
    return refusal(ErrorCode::invalid_data, [&] { cross_validate(data, {}, small_grid()); });
  };
  Rows rows = made_up_rows(30, 2, 237);
  EXPECT_EQ(refused({rows.view(), std::span(rows.y).first(29), {}}),
            "The target has 29 values, but the features have 30 rows. Both must be equal.");
  const std::vector<double> weights(31, 1.0);
  EXPECT_EQ(refused({rows.view(), rows.y, weights}),
            "The weight column has 31 values, but the features have 30 rows. Both must be equal.");
  rows.at(17, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused(rows.block()),
            "In column 0, row 17 (counted from 0): the value is missing (NaN). Impute it or drop the row.");
}

}  // namespace
}  // namespace kore
