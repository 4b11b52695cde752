#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kore/column_choice.hpp"
#include "kore/encoding.hpp"
#include "kore/message.hpp"

namespace kore::table {

/// What must be known about a table before its rows are encoded.
struct TableSummary {
  std::string target;
  ColumnType target_type = ColumnType::number;  ///< Boolean: texts of yes and no, which count as 1 and 0.
  std::string weights;                          ///< Or precisions; empty: none.
  bool precisions = false;                      ///< The weights are precisions.
  double weight_factor = 1;                     ///< What turns a precision into a weight.
  std::string group = {};                       ///< Empty: none.
  std::uint64_t rows = 0;                       ///< Rows that have a target: those that are used.
  std::uint64_t missing_target = 0;             ///< Rows that have none, and are left out.
  /// Of a target of two values or more classes: what stands for 0, 1, ... Empty for other targets.
  std::vector<std::string> target_levels = {};
  bool whole_target = false;  ///< Every target is a whole number and not negative.
  std::string exposure = {};  ///< The target was divided by this column, which is also the weights.
  std::string offset = {};    ///< Taken out of the target as `offset_use` says; an exposure is `exp(offset)`.
  OffsetUse offset_use = OffsetUse::subtracted;
  double target_minimum = 0;
  double target_maximum = 0;
  std::vector<ColumnSummary> columns;    ///< The features, in the table's order, over the rows that are used.
  std::vector<Message> notes;            ///< How ambiguous values were read.
  std::string date_format = {};          ///< As in `FitFacts`.
  std::vector<BooleanWords> words = {};  ///< As in `FitFacts`.

  /// The exposures are the exponentials of an offset.
  bool log_exposure() const { return !offset.empty() && offset == exposure; }
  /// The target has three classes or more, so that each has a model of its own.
  bool has_classes() const { return target_levels.size() > 2; }
};

}  // namespace kore::table
