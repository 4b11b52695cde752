#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "table/curve_choices.hpp"
#include "table/training.hpp"

namespace kore::python {

/// What all ways to read rows in Python share; the work is done in `table::prepare` and
/// `table::train`.
class Preparation {
 public:
  /// Pairs of columns as pairs of the features made from them.
  std::vector<FeaturePair> feature_pairs(
      const std::vector<std::pair<std::string, std::string>>& columns) const;
  /// Features that the columns have become.
  std::size_t features() const { return prepared_.encoding.features.size(); }
  /// Rows of the table.
  std::uint64_t rows() const { return prepared_.summary.rows; }
  /// The notes that nobody should miss: columns that were expected to be used and are not.
  std::vector<std::string> warnings() const;
  /// What the numbers of the target stand for: the names of 0 and 1 (`FitFacts::target_levels`), and the
  /// name of the exposures that counts were divided by. Either may be empty. Kept with the model.
  void describe_target(std::vector<std::string> levels, std::string exposure);
  /// The name of the offsets that were taken out of the target, and how. Kept with the model.
  void describe_offset(std::string offset, table::OffsetUse use);
  /// What the curves of single columns are to be.
  void set_curves(table::CurveChoices choices) { curves_ = std::move(choices); }
  /// The rows that the last fit was judged by.
  const HeldOutRows& held_out() const { return held_out_; }
  /// Columns of the largest model that a fit may try.
  std::size_t columns_at_most(const Options& options) const;

 protected:
  /// `max_levels` as in `table::LevelOptions`.
  Preparation(std::string target, const std::string& profile, std::optional<std::size_t> max_levels);

  /// Decides the encoding; the first thing to do. The summary's target is the one of the constructor.
  void prepare(table::TableSummary summary);
  const table::TableSummary& summary() const { return prepared_.summary; }
  const table::Encoding& encoding() const { return prepared_.encoding; }
  Names names() const { return prepared_.names(); }
  /// Adds what follows from the columns to options that were set by name.
  void complete(Options& options) const {
    table::complete(options, prepared_);
    table::set_curves(options, prepared_.encoding, prepared_.summary.columns, curves_);
  }
  table::TableModel fit_rows(const RowSource& source, Options options, const std::string& origin,
                             const nb::object& progress) const;
  /// For what comes before a fit.
  PhaseTimes* phases() { return &phases_; }

 private:
  std::chrono::steady_clock::time_point start_;
  std::string target_;
  std::optional<std::size_t> max_levels_;
  table::Preparation prepared_;
  table::CurveChoices curves_;
  PhaseTimes phases_;
  mutable HeldOutRows held_out_;  // a fit changes nothing else
};

/// For `Options::progress`; the callback may be None and has to outlive the fit.
std::function<void(const Progress&)> watched(const nb::object& callback);

}  // namespace kore::python
