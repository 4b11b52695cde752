#include "table/table_task.hpp"

#include <cmath>
#include <string>

#include "base/bytes.hpp"
#include "base/memory.hpp"
#include "kore/error.hpp"
#include "table/encode_frame.hpp"
#include "table/encoding_bytes.hpp"

namespace kore::table {
namespace {

constexpr std::uint32_t format_version = 3;
constexpr std::size_t checksum_size = 8;

enum class Kind : std::uint8_t { summary, rows };

void check_length(const char* what, std::size_t length, std::size_t rows) {
  if (length != rows)
    throw Error(
        ErrorCode::invalid_data, "unequal_lengths_in_piece",
        "The {what} of a piece has {length} values, but its table has {rows} rows. Both must be equal.",
        {{"what", what}, {"length", length}, {"rows", rows}});
}

/// The checksum of a task. Results contain it, so that results of another task are not accepted.
std::uint64_t mark_of(std::span<const std::byte> task) { return ByteReader(task.last(checksum_size)).u64(); }

/// Says that rows are counted within a part: a process does not know how many rows come before its part.
[[noreturn]] void refuse_part(const Error& error) {
  const Message& message = error.message();
  if (message.argument("row").empty()) throw Error(error.code(), message);
  std::vector<Argument> arguments = message.arguments();
  arguments.emplace_back("sentence", message.sentence());
  throw Error(error.code(), message.reason(), "{sentence} (Rows are counted within their part of the table.)",
              std::move(arguments));
}

}  // namespace

ScaledWeights::ScaledWeights(std::span<const double> weights, double factor) : values_(weights) {
  if (factor == 1) return;
  for (const double weight : weights) scaled_.push_back(weight * factor);
  values_ = scaled_;
}

std::vector<std::byte> summary_task(const RunningSummary& summary) {
  ByteWriter out;
  out.u8(static_cast<std::uint8_t>(Kind::summary));
  summary.write_plan(out);
  return seal("KTBL", format_version, out.bytes());
}

std::vector<std::byte> rows_task(const Encoding& encoding, const Pass& pass, double weight_factor) {
  ByteWriter out;
  out.u8(static_cast<std::uint8_t>(Kind::rows));
  out.f64(weight_factor);
  write(out, encoding);
  out.section(pass.task());
  return seal("KTBL", format_version, out.bytes());
}

TableResult open_table_result(std::span<const std::byte> task, std::span<const std::byte> result) {
  ByteReader in(open_sealed(result, "KTRS", format_version, "result").content);
  if (in.u64() != mark_of(task))
    throw Error(ErrorCode::corrupt_file, "result_of_another_task",
                "The KORE result belongs to another task.");
  const std::uint64_t rows = in.u64();
  return {rows, in.section()};
}

TableWork::TableWork(std::span<const std::byte> task, std::optional<std::uint64_t> most_bytes)
    : task_(task.begin(), task.end()) {
  ByteReader in(open_sealed(task_, "KTBL", format_version, "task").content);
  const std::uint8_t kind = in.u8();
  if (kind == static_cast<std::uint8_t>(Kind::summary)) {
    summary_ = RunningSummary::read_plan(in, most_bytes.value_or(available_memory()));
    return;
  }
  if (kind != static_cast<std::uint8_t>(Kind::rows))
    throw Error(ErrorCode::corrupt_file, "unknown_task", "The KORE task is of a kind that does not exist.");
  weight_factor_ = in.f64();
  if (!(weight_factor_ > 0 && std::isfinite(weight_factor_)))
    throw Error(ErrorCode::corrupt_file, "inconsistent_task",
                "The KORE task is damaged: its factor of weights cannot be.");
  encoding_ = read_encoding(in);
  pass_ = pass_from_task(in.section(), most_bytes);
  if (pass_->facts().features != encoding_.features.size())
    throw Error(ErrorCode::corrupt_file, "inconsistent_task",
                "The KORE task contradicts itself: it is damaged.");
}

void TableWork::add(const TablePiece& piece, int threads) {
  check_length("target", piece.y.size(), piece.frame.rows);
  if (!piece.weights.empty()) check_length("weight column", piece.weights.size(), piece.frame.rows);
  if (!piece.groups.empty()) check_length("group column", piece.groups.size(), piece.frame.rows);
  if (piece.frame.rows == 0) return;
  rows_ += piece.frame.rows;
  if (summary_) {
    if (summary_->finds_medians())
      summary_->add_to_medians(piece.frame);
    else
      summary_->add(piece.frame, piece.weights);
    return;
  }
  const EncodedFrame encoded = encode(piece.frame, encoding_);
  const ScaledWeights weights(piece.weights, weight_factor_);
  try {
    pass_->add({encoded.x, piece.y, weights.values(), piece.groups}, threads);
  } catch (const Error& error) {
    refuse_part(error);
  }
}

void TableWork::merge(std::span<const std::byte> result) {
  const auto [rows, sums] = open_table_result(task_, result);
  if (summary_) {
    ByteReader in(sums);
    summary_->merge_found(in);
  } else {
    pass_->merge(sums);
  }
  rows_ += rows;
}

std::vector<std::byte> TableWork::serialize() const {
  ByteWriter out;
  out.u64(mark_of(task_));
  out.u64(rows_);
  if (summary_) {
    ByteWriter found;
    summary_->write_found(found);
    out.section(found.bytes());
  } else {
    out.section(pass_->serialize());
  }
  return seal("KTRS", format_version, out.bytes());
}

PassFacts TableWork::facts() const {
  if (pass_) return pass_->facts();
  return {summary_->finds_medians() ? "medians" : "columns", 0, {}, summary_->most_median_bytes()};
}

}  // namespace kore::table
