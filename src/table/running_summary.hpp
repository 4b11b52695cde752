#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "base/bytes.hpp"
#include "kore/precision.hpp"
#include "table/frame.hpp"
#include "table/median.hpp"

namespace kore::table {

/// The summaries of a table that is read in pieces: one pass, which also finds the medians of short tables,
/// and one or two more for those of long ones. All pieces have the columns of the first, by name; a column of
/// numbers there must be one in every piece.
class RunningSummary {
 public:
  /// One entry per column of the first piece.
  explicit RunningSummary(std::vector<bool> categorical) : categorical_(std::move(categorical)) {}
  /// For rows on other machines: the columns are those of `example`, whose rows are ignored.
  RunningSummary(const Frame& example, std::vector<bool> categorical);

  void add(const Frame& piece, std::span<const double> weights = {});
  /// After the first pass. It has looked for medians too.
  void begin_medians();
  /// There is a column whose median is still to be found: add all pieces again, and end the pass.
  bool wants_medians() const;
  void add_to_medians(const Frame& piece);
  void end_median_pass();
  /// After the last pass.
  std::vector<ColumnSummary> finish();

  std::uint64_t rows() const { return rows_; }
  /// The weights, if they are precisions.
  const PrecisionSum& precisions() const { return precisions_; }

  /// The plan of the present pass, from which another process makes a summary without rows.
  void write_plan(ByteWriter& out) const;
  /// Throws `corrupt_file` for a plan that contradicts itself, and where finding its medians takes more
  /// memory than `most_bytes`.
  static RunningSummary read_plan(ByteReader& in, std::uint64_t most_bytes);
  bool finds_medians() const { return finds_medians_; }
  /// The findings of the present pass as bytes, and adding those of another process. Throws `corrupt_file`
  /// for findings of another plan.
  void write_found(ByteWriter& out) const;
  void merge_found(ByteReader& in);
  /// Bytes that medians take at most in `write_found`.
  std::size_t most_median_bytes() const;

 private:
  struct State {
    ColumnSummary summary;
    bool has_third_value = false;
    bool has_fraction = false;
    std::unordered_map<std::string, std::uint64_t> levels;
    std::optional<MedianSelector> median;  ///< Of numbers.
    bool searches() const { return median && !median->found(); }
  };
  void begin(const Frame& piece);
  Column column_of(const Frame& piece, const State& state) const;
  static void add_texts(const Column& column, State& state);
  /// Throws where a column has more different texts than may be sent.
  static void check_texts(const State& state);
  static void write_column(ByteWriter& out, const State& state);
  static void merge_column(ByteReader& in, State& state);

  std::vector<bool> categorical_;
  std::vector<State> columns_;
  std::uint64_t rows_ = 0;
  PrecisionSum precisions_;
  bool finds_medians_ = false;
  bool travels_ = false;  // made from a plan: findings are sent as bytes
};

}  // namespace kore::table
