#include "data/table_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "data/chunk_encoder.hpp"
#include "data/duck/sql.hpp"
#include "data/explain.hpp"
#include "kore/error.hpp"

namespace kore::data {
namespace {

/// Chunks of any size in, encoded blocks of fixed size out, so that a pass does not depend on how DuckDB cuts
/// its results.
class BlockAssembler {
 public:
  BlockAssembler(const Encoder& encoder, bool weighted, const std::function<void(const RowBlock&)>& visit)
      : encoder_(encoder),
        features_(encoder.encoding().features.size()),
        inputs_(encoder.encoding().columns.size()),
        weighted_(weighted),
        visit_(visit),
        x_(features_ * block_rows) {}

  /// The chunk's columns are those of the encoding, then the target, then the weights if there are any.
  void add(const Chunk& chunk) {
    encoder_.load(chunk);
    chunk_y_.clear();
    chunk_w_.clear();
    chunk.append_doubles(inputs_, chunk_y_);
    if (weighted_) chunk.append_doubles(inputs_ + 1, chunk_w_);
    for (std::size_t done = 0; done < chunk.rows();) {
      const std::size_t rows = std::min(chunk.rows() - done, block_rows - filled());
      encoder_.encode(done, rows, std::span(x_).subspan(filled()), block_rows, counts_);
      append(chunk_y_, done, rows, y_);
      if (weighted_) append(chunk_w_, done, rows, w_);
      done += rows;
      if (filled() == block_rows) flush();
    }
    rows_ += chunk.rows();
  }

  void flush() {
    if (filled() == 0) return;
    visit_({view_rows(x_, features_, filled(), block_rows), y_, w_});
    y_.clear();
    w_.clear();
  }

  std::uint64_t rows() const { return rows_; }

 private:
  std::size_t filled() const { return y_.size(); }

  static void append(const std::vector<double>& from, std::size_t first, std::size_t rows,
                     std::vector<double>& to) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
    to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(rows));
  }

  ChunkEncoder encoder_;
  std::size_t features_;
  std::size_t inputs_;
  bool weighted_;
  const std::function<void(const RowBlock&)>& visit_;
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> w_;
  std::vector<double> chunk_y_;
  std::vector<double> chunk_w_;
  EncodeCounts counts_;
  std::uint64_t rows_ = 0;
};

std::string number(const Table& table, const std::string& name, ColumnType wanted = ColumnType::number) {
  const TableColumn& column = table.column(name);
  return number_expression(name, column.sql_type, wanted);
}

}  // namespace

TableSource::TableSource(Table table, Encoding encoding, const TableSummary& summary)
    : table_(std::move(table)),
      encoder_(std::move(encoding)),
      weighted_(!summary.weights.empty()),
      rows_(summary.rows) {
  std::vector<std::string> selected = encoding_expressions(table_, encoder_.encoding());
  const std::string target = number(table_, summary.target, summary.target_type);
  selected.push_back(target);
  if (weighted_) selected.push_back(number(table_, summary.weights));
  sql_ = fmt::format("SELECT {} FROM {} WHERE {} IS NOT NULL", fmt::join(selected, ", "), table_.relation(),
                     target);
}

void TableSource::for_each_block(const std::function<void(const RowBlock&)>& visit) const {
  explaining(table_.origin(), [&] {
    BlockAssembler blocks(encoder_, weighted_, visit);
    Stream rows = table_.database().stream(sql_);
    while (const auto chunk = rows.next()) blocks.add(*chunk);
    blocks.flush();
    if (blocks.rows() != rows_)
      throw Error(ErrorCode::io,
                  fmt::format("A pass over {} gave {} rows instead of {}: it has changed while it was read.",
                              table_.origin().name(), blocks.rows(), rows_));
  });
}

}  // namespace kore::data
