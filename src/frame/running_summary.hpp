#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "data/encoding/median.hpp"
#include "frame/frame.hpp"

namespace kore::frame {

/// The summaries of a table that is read in pieces: one pass for all but the medians, and
/// `MedianSelector::passes` more for those. Pieces have the columns of the first, by name; what is read as a
/// number there has to be one everywhere.
class RunningSummary {
 public:
  /// One entry per column of the first piece.
  explicit RunningSummary(std::vector<bool> categorical) : categorical_(std::move(categorical)) {}

  void add(const Frame& piece);
  /// After the first pass.
  void begin_medians();
  void add_to_medians(const Frame& piece);
  void end_median_pass();
  /// After the last pass.
  std::vector<data::ColumnSummary> finish();

  std::uint64_t rows() const { return rows_; }

 private:
  struct State {
    data::ColumnSummary summary;
    bool has_third_value = false;
    std::unordered_map<std::string, std::uint64_t> levels;
    std::unique_ptr<data::MedianSelector> median;
  };
  void begin(const Frame& piece);
  Column column_of(const Frame& piece, const State& state) const;

  std::vector<bool> categorical_;
  std::vector<State> columns_;
  std::uint64_t rows_ = 0;
};

}  // namespace kore::frame
