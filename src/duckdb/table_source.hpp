#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "duckdb/table.hpp"
#include "kore/encoder.hpp"
#include "kore/rows.hpp"
#include "table/read_ahead.hpp"
#include "table/table_summary.hpp"

namespace kore::duckdb {

/// What rows have beside features and target.
struct BesideTheTarget {
  bool weighted = false;
  double weight_factor = 1;  ///< What turns a precision into a weight.
  bool grouped = false;
  bool groups_are_texts = false;
};

/// The rows of a table that have a target, encoded, in the table's order and in blocks of fixed size. Every
/// pass is a new query, so the memory is that of a few blocks whatever the size of the table. Where there is
/// more than one thread, one reads the next block while the others use the present one.
class TableSource final : public RowSource {
 public:
  /// `summary` is that of the same table: it names the target, the weights and the group, and says how
  /// many rows every pass must have.
  TableSource(Table table, table::Encoding encoding, const table::TableSummary& summary);

  std::size_t columns() const override { return encoder_.encoding().features.size(); }
  void for_each_block(const std::function<void(const RowBlock&)>& visit) const override;

  const table::Encoding& encoding() const { return encoder_.encoding(); }

 private:
  void read(const table::Deliver& deliver) const;
  /// Refuses a pass whose values are not those of the first one.
  void check_same(std::uint64_t checksum) const;

  Table table_;
  table::Encoder encoder_;
  BesideTheTarget beside_;
  std::uint64_t rows_ = 0;
  std::string sql_;
  mutable std::optional<std::uint64_t> checksum_;  ///< Of the first whole pass.
};

}  // namespace kore::duckdb
