#include "fuzz/passes.hpp"

#include <cmath>

#include "pass/dense_pass.hpp"
#include "pass/gram_passes.hpp"
#include "pass/press_passes.hpp"
#include "pass/shifted_source.hpp"
#include "pass/survey_passes.hpp"
#include "pass/weighed_source.hpp"
#include "response/robust.hpp"

namespace kore::fuzz {
namespace {

Design small_design() {
  return Design({{"a", {0, 1}, FeatureKind::spline},
                 {"b", {0, 1}, FeatureKind::linear},
                 {"c", {0, 2}, FeatureKind::category, 3}},
                {{{0}, {2}}, {{1}, {1}}, {{2}, {1}}, {{0, 2}, {1, 1}}}, 3, Parametrisation::centred);
}

GramAccumulator sums_of(const Design& design) {
  GramAccumulator gram(design);
  const test::Rows rows = rows_of(3, 60);
  gram.add(working_block(rows.block()), 1);
  return gram;
}

std::vector<Design> designs() {
  std::vector<Design> all;
  all.push_back(small_design());
  all.push_back(Design::additive(small_design().features(), 2, 2));
  return all;
}

}  // namespace

test::Rows rows_of(std::size_t features, std::size_t count) {
  test::Uniform uniform(7);
  test::Rows rows{count, features, std::vector<double>(features * count), std::vector<double>(count), {}};
  for (std::size_t j = 0; j < features; ++j)
    for (std::size_t r = 0; r < count; ++r)
      rows.at(r, j) = j + 1 == features ? std::floor(uniform.between(0, 3)) : uniform.between(-0.2, 1.2);
  for (std::size_t r = 0; r < count; ++r) rows.y[r] = uniform.between(0, 10);
  return rows;
}

Passes all_passes() {
  Passes made;
  const Design design = small_design();
  const GramAccumulator gram = sums_of(design);
  for (const bool dense : {false, true}) {
    SmootherOptions options;
    options.dense_leverages = dense;
    made.fits.push_back(std::make_unique<Smoother>(gram, options));
  }
  const Smoother& fit = *made.fits.front();
  auto& passes = made.passes;
  passes.push_back(std::make_unique<SurveyPass>(3, std::vector<std::string>{"a", "b", "c"}, 10));
  passes.push_back(std::make_unique<EqualFeaturesPass>(
      3, std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 2}}));
  for (const GramBlocks blocks : {GramBlocks::all, GramBlocks::diagonal, GramBlocks::none})
    passes.push_back(std::make_unique<GramPass>(designs(), blocks));
  auto residuals = std::make_unique<ResidualGramPass>();
  residuals->include(fit, design, GramBlocks::none);
  passes.push_back(std::move(residuals));
  passes.push_back(std::make_unique<DensePass>(design, term_maps(design, gram.sums(), gram.weight_sum())));
  const Smoother* const both[]{made.fits[0].get(), made.fits[1].get()};
  passes.push_back(std::make_unique<PressPass>(both, 2));
  // A pass that shifts or weighs refers to the one inside, so it is made from a task.
  ShiftedPass shifted(*passes[2], TargetShift{1, 2, TargetScale::identity});
  const RowWeighing weighing({design, fit.intercept(), fit.coefficients()}, "robust", 0.5);
  WeighedPass weighed(*passes[2], weighing);
  const std::vector<std::byte> tasks[]{shifted.task(), weighed.task()};
  for (const std::vector<std::byte>& task : tasks) passes.push_back(pass_from_task(task));
  return made;
}

}  // namespace kore::fuzz
