#include "duckdb/table_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/checksum.hpp"
#include "duckdb/chunk_encoder.hpp"
#include "duckdb/explain.hpp"
#include "duckdb/sql.hpp"
#include "duckdb/target_column.hpp"
#include "kore/error.hpp"
#include "table/groups.hpp"
#include "table/read_ahead.hpp"

namespace kore::duckdb {
namespace {

constexpr std::size_t blocks_ahead = 1;  // beside the one in use and the one being filled
constexpr std::size_t most_ahead = std::size_t{1}
                                   << 22;  // doubles of a block: wider tables are not read ahead

/// Chunks of any size in, encoded blocks of fixed size out, so that a pass does not depend on how DuckDB cuts
/// its results.
class BlockAssembler {
 public:
  BlockAssembler(const table::Encoder& encoder, const BesideTheTarget& beside, const table::Deliver& deliver)
      : encoder_(encoder), inputs_(encoder.encoding().columns.size()), beside_(beside), deliver_(deliver) {
    block_.x.resize(encoder.encoding().features.size() * block_rows);
  }

  /// The chunk's columns are those of the encoding, then the target, then the weights if there are any, then
  /// the groups. False where nobody wants more.
  bool add(const Chunk& chunk) {
    encoder_.load(chunk);
    load_target(chunk);
    for (std::size_t done = 0; done < chunk.rows();) {
      const std::size_t rows = std::min(chunk.rows() - done, block_rows - filled());
      encoder_.encode(done, rows, std::span(block_.x).subspan(filled()), block_rows, counts_);
      append(chunk_y_, done, rows, block_.y);
      if (beside_.weighted) append(chunk_w_, done, rows, block_.weights);
      if (beside_.grouped) append(chunk_groups_, done, rows, block_.groups);
      done += rows;
      if (filled() == block_rows && !flush()) return false;
    }
    rows_ += chunk.rows();
    return true;
  }

  bool flush() {
    if (filled() == 0) return true;
    add_to_checksum();
    return deliver_(block_);
  }

  std::uint64_t rows() const { return rows_; }
  /// Of all values so far, in their order.
  std::uint64_t checksum() const { return checksum_; }

 private:
  void load_target(const Chunk& chunk) {
    chunk_y_.clear();
    chunk_w_.clear();
    chunk_groups_.clear();
    chunk.append_doubles(inputs_, chunk_y_);
    if (beside_.weighted) chunk.append_doubles(inputs_ + 1, chunk_w_);
    for (double& weight : chunk_w_) weight *= beside_.weight_factor;
    if (!beside_.grouped) return;
    const std::size_t column = inputs_ + (beside_.weighted ? 2 : 1);
    if (beside_.groups_are_texts) {
      std::vector<std::string_view> texts;
      chunk.append_texts(column, texts);
      for (const std::string_view text : texts) chunk_groups_.push_back(table::group_of_text(text));
    } else {
      chunk.append_doubles(column, chunk_groups_);
    }
  }
  std::size_t filled() const { return block_.rows(); }

  void add_to_checksum() {
    const auto add = [this](std::span<const double> values) {
      checksum_ = running_checksum(checksum_, std::as_bytes(values));
    };
    for (std::size_t first = 0; first < block_.x.size(); first += block_rows)
      add(std::span(block_.x).subspan(first, filled()));
    for (const auto* values : {&block_.y, &block_.weights, &block_.groups}) add(*values);
  }

  static void append(const std::vector<double>& from, std::size_t first, std::size_t rows,
                     std::vector<double>& to) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
    to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(rows));
  }

  ChunkEncoder encoder_;
  std::size_t inputs_;
  const BesideTheTarget& beside_;
  const table::Deliver& deliver_;
  table::OwnedBlock block_;
  std::vector<double> chunk_y_;
  std::vector<double> chunk_w_;
  std::vector<double> chunk_groups_;
  table::EncodeCounts counts_;
  std::uint64_t rows_ = 0;
  std::uint64_t checksum_ = 0;
};

}  // namespace

TableSource::TableSource(Table table, table::Encoding encoding, const table::TableSummary& summary)
    : table_(std::move(table)),
      encoder_(std::move(encoding)),
      beside_{!summary.weights.empty(), summary.weight_factor, !summary.group.empty(), false},
      rows_(summary.rows) {
  std::vector<std::string> selected = encoding_expressions(table_, encoder_.encoding());
  const std::string target = target_expression(table_, summary);
  selected.push_back(target);
  if (beside_.weighted) selected.push_back(weight_expression(table_, summary));
  if (beside_.grouped) {
    const TableColumn& column = table_.column(summary.group);
    beside_.groups_are_texts = groups_are_texts(column);
    selected.push_back(group_expression(column));
  }
  sql_ = fmt::format("SELECT {} FROM {} WHERE {} IS NOT NULL", fmt::join(selected, ", "), table_.relation(),
                     target);
}

void TableSource::read(const table::Deliver& deliver) const {
  BlockAssembler blocks(encoder_, beside_, deliver);
  Stream rows = table_.database().stream(sql_);
  while (const auto chunk = rows.next())
    if (!blocks.add(*chunk)) return;
  if (!blocks.flush()) return;
  if (blocks.rows() == rows_) return check_same(blocks.checksum());
  throw Error(ErrorCode::io, "table_has_changed",
              "A pass over {table} gave {found} rows instead of {rows}: it has changed while it was read.",
              {{"table", table_.origin().name()}, {"found", blocks.rows()}, {"rows", rows_}});
}

void TableSource::check_same(std::uint64_t checksum) const {
  if (!checksum_) checksum_ = checksum;
  if (*checksum_ != checksum)
    throw Error(ErrorCode::io, "table_has_changed",
                "Two passes over {table} gave different values: it has changed while it was read.",
                {{"table", table_.origin().name()}});
}

void TableSource::for_each_block(const std::function<void(const RowBlock&)>& visit) const {
  const auto visit_block = [&](const table::OwnedBlock& block) {
    visit({view_rows(block.x, columns(), block.rows(), block_rows), block.y, block.weights, block.groups});
  };
  explaining(table_.origin(), [&] {
    if (table_.database().threads() > 1 && columns() * block_rows <= most_ahead)
      return table::read_ahead(
          blocks_ahead, [&](const table::Deliver& deliver) { read(deliver); }, visit_block);
    read([&](table::OwnedBlock& block) {
      visit_block(block);
      block.clear();
      return true;
    });
  });
}

}  // namespace kore::duckdb
