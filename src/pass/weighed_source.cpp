#include "pass/weighed_source.hpp"

#include <cmath>

#include "base/finite.hpp"
#include "design/design_bytes.hpp"
#include "kore/error.hpp"
#include "pass/format.hpp"
#include "response/robust.hpp"
#include "stats/linear_form.hpp"

namespace kore {
namespace {

RowBlock weighed(const RowBlock& block, const WorkingRows& working) {
  const double* weights = working.weights.from(0);
  const RowCounts counts = weights == nullptr ? RowCounts() : RowCounts(std::span(weights, block.rows()));
  return {block.x, working.target, counts, block.groups};
}

/// Some responses hand on the targets and weights of the rows themselves. In `memory` they may be changed.
WorkingRows own(const WorkingRows& rows, WorkingMemory& memory) {
  const double* weights = rows.weights.from(0);
  if (weights == nullptr)
    memory.weights.assign(rows.target.size(), 1.0);
  else if (weights != memory.weights.data())
    memory.weights.assign(weights, weights + rows.target.size());
  if (rows.target.data() != memory.target.data())
    memory.target.assign(rows.target.begin(), rows.target.end());
  return {memory.target, WorkingWeights(memory.weights)};
}

/// Whether the coefficients can be those of the design.
bool is_function(const FittedFunction& fit) {
  return fit.coefficients.size() == fit.design.raw_columns() && std::isfinite(fit.intercept) &&
         all_finite(fit.coefficients);
}

}  // namespace

RowWeighing::RowWeighing(FittedFunction fit, std::string_view response, double parameter, double longest_step)
    : fit_(std::move(fit)),
      response_(response_with(response, parameter)),
      parameter_(parameter),
      longest_step_(longest_step) {
  if (!response_)
    throw Error(ErrorCode::invalid_argument, "unknown_response",
                "There is no response '{name}' with the parameter {parameter}.",
                {{"name", response}, {"parameter", parameter}});
}

RowWeighing RowWeighing::read(ByteReader& task) {
  const std::string name = task.text();
  const double parameter = task.f64();
  const double longest_step = task.f64();
  if (!response_with(name, parameter) || !(longest_step > 0)) refuse_task();
  Design design = read_design(task);
  const double intercept = task.f64();
  FittedFunction fit{std::move(design), intercept, task.f64s()};
  if (!is_function(fit)) refuse_task();
  return {std::move(fit), name, parameter, longest_step};
}

void RowWeighing::write(ByteWriter& out) const {
  out.text(response_->name());
  out.f64(parameter_);
  out.f64(longest_step_);
  kore::write(out, fit_.design);
  out.f64(fit_.intercept);
  out.f64s(fit_.coefficients);
}

WorkingRows RowWeighing::working_rows(const RowBlock& block, int threads, WorkingMemory& memory) const {
  std::vector<double> predictor(block.rows());
  evaluate_rows(fit_.design, fit_.intercept, fit_.coefficients, Extrapolation::linear, block.x, predictor,
                threads);
  const WorkingRows given = response_->working_rows(block.y, block.weights, predictor, memory);
  if (std::isinf(longest_step_)) return given;
  const WorkingRows rows = own(given, memory);
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const double step = memory.target[r] - predictor[r];
    if (!(std::abs(step) > longest_step_)) continue;
    memory.weights[r] *= std::abs(step) / longest_step_;
    memory.target[r] = predictor[r] + std::copysign(longest_step_, step);
  }
  return rows;
}

void WeighedSource::for_each_block(const std::function<void(const RowBlock&)>& visit) const {
  rows_.for_each_block([&](const RowBlock& block) {
    WorkingMemory memory;
    visit(weighed(block, weighing_.working_rows(block, threads_, memory)));
  });
}

void WeighedSource::run(Pass& pass, int threads) const {
  WeighedPass weighing(pass, weighing_);
  rows_.run(weighing, threads);
}

std::unique_ptr<Pass> WeighedPass::read(ByteReader& task, std::uint64_t most_bytes) {
  auto weighing = std::make_unique<RowWeighing>(RowWeighing::read(task));
  const auto other = task.section();
  // The pass inside neither shifts nor weighs in valid tasks; damaged bytes could nest so many that the stack
  // overflows.
  const PassKind kind = open_task(other).kind;
  if (kind == PassKind::shifted || kind == PassKind::weighed) refuse_task();
  std::unique_ptr<Pass> pass = pass_from_task(other, most_bytes);
  if (pass->facts().features != weighing->fit().design.features().size()) refuse_task();
  return std::unique_ptr<Pass>(new WeighedPass(std::move(pass), std::move(weighing)));
}

void WeighedPass::add(const RowBlock& block, int threads) {
  WorkingMemory memory;
  inner().add(weighed(block, weighing_.working_rows(block, threads, memory)), threads);
}

std::vector<std::byte> WeighedPass::task() const {
  ByteWriter out;
  weighing_.write(out);
  out.section(inner().task());
  return seal_task(PassKind::weighed, out.bytes());
}

}  // namespace kore
