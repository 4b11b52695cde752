// A task as an executor receives it: of rows (KTSK), or of a table (KTBL). What is accepted gets rows.
#include <memory>

#include "base/bytes.hpp"
#include "fuzz/passes.hpp"
#include "fuzz/uses.hpp"
#include "table/table_task.hpp"

namespace kore::fuzz {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 24;
constexpr std::size_t most_features = 64;

void use(Pass& pass, std::span<const std::byte> task) {
  const PassFacts facts = pass.facts();
  if (facts.features > most_features)
    throw Error(ErrorCode::invalid_data, "too_wide", "More features than there are rows for.");
  const test::Rows rows = rows_of(facts.features);
  pass.add(rows.block(), 1);
  const std::vector<std::byte> result = pass.serialize();
  const std::unique_ptr<Pass> other = pass_from_task(task, most_bytes);
  other->merge(result);
  pass_from_task(pass.task(), most_bytes)->facts();
}

void use(table::TableWork& work, std::span<const std::byte> task) {
  work.facts();
  const std::vector<double> y{1, 2, 3, 4, 5, 6};
  work.add({frame_of_flats(), y, {}, {}}, 1);
  const std::vector<std::byte> result = work.serialize();
  table::TableWork(task, most_bytes).merge(result);
}

}  // namespace

bool run_task(Given bytes) {
  if (bytes.size() > 4 && bytes[2] == std::byte{'B'}) {
    std::unique_ptr<table::TableWork> work;
    if (!allow_refusal([&] { work = std::make_unique<table::TableWork>(bytes, most_bytes); })) return false;
    consume("work on a table", [&] { use(*work, bytes); });
    return true;
  }
  std::unique_ptr<Pass> pass;
  if (!allow_refusal([&] { pass = pass_from_task(bytes, most_bytes); })) return false;
  consume("a pass over rows", [&] { use(*pass, bytes); });
  return true;
}

}  // namespace kore::fuzz
