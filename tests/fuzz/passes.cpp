#include "fuzz/passes.hpp"

#include <cmath>

#include "pass/dense_pass.hpp"
#include "pass/gram_passes.hpp"
#include "pass/press_passes.hpp"
#include "pass/shifted_source.hpp"
#include "pass/survey_passes.hpp"
#include "pass/weighed_source.hpp"
#include "report/made_up_model.hpp"
#include "response/robust.hpp"
#include "table/table_task.hpp"

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

table::Encoding encoding_of_numbers(std::initializer_list<const char*> names) {
  table::Encoding encoding;
  for (const char* name : names) {
    table::EncodedColumn column;
    column.name = name;
    encoding.features.push_back({name, table::EncodedKind::numeric, encoding.columns.size(), 0});
    encoding.columns.push_back(column);
  }
  return encoding;
}

table::Frame frame_of_flats() {
  constexpr std::size_t count = 6;
  table::Frame frame;
  frame.rows = count;
  const auto numbers = [&frame](const char* name, table::ColumnType type, std::vector<double> values) {
    frame.columns.push_back(table::owned_numbers(name, type, std::move(values)));
  };
  numbers("size", table::ColumnType::number, {30, std::nan(""), 50.5, 71, 12, -3});
  numbers("wave", table::ColumnType::number, {0, 1, 0.5, 1, 12, -3});
  numbers("built", table::ColumnType::date, {7000, 8000, 9000, 10'000, 11'000, 20'000});
  numbers("balcony", table::ColumnType::boolean, {0, 1, 1, 0, 0, 1});
  table::TextPool texts;
  for (const char* town : {"Aachen", "Bonn", "Bonn", "Cologne", "nowhere"}) texts.add(town);
  texts.add_missing();
  frame.columns.push_back(table::TextPool::finish(std::move(texts), "town"));
  return frame;
}

std::vector<Bytes> table_tasks() {
  std::vector<Bytes> tasks;
  for (const bool paper : {false, true}) {
    const test::MadeUpModel made = test::made_up_model(paper, 60);
    const GramPass gram({made.fitted.model.design}, GramBlocks::none);
    tasks.push_back(table::rows_task(made.fitted.encoding, gram));
  }
  const table::Frame frame = frame_of_flats();
  table::RunningSummary summary(frame, std::vector<bool>(frame.columns.size()));
  const Bytes columns = table::summary_task(summary);
  tasks.push_back(columns);
  table::TableWork work(columns);
  const std::vector<double> y(frame.rows, 1.0);
  work.add({frame, y, {}, {}}, 1);
  const Bytes found = work.serialize();
  ByteReader in(table::open_table_result(columns, found).sums);
  summary.merge_found(in);
  summary.begin_medians();
  tasks.push_back(table::summary_task(summary));
  return tasks;
}

}  // namespace kore::fuzz
