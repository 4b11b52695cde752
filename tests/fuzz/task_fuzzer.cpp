// A task as an executor receives it: of rows (KTSK), or of a table (KTBL). What is accepted gets rows.
#include "base/bytes.hpp"
#include "fuzz/mutation.hpp"
#include "fuzz/passes.hpp"
#include "kore/error.hpp"
#include "table/table_task.hpp"

namespace kore::fuzz {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 24;
constexpr std::size_t most_features = 64;

void use(Pass& pass, std::span<const std::byte> task) {
  const PassFacts facts = pass.facts();
  if (facts.features > most_features) return;
  const test::Rows rows = rows_of(facts.features);
  pass.add(rows.block(), 1);
  const std::vector<std::byte> result = pass.serialize();
  const std::unique_ptr<Pass> other = pass_from_task(task, most_bytes);
  other->merge(result);
  pass_from_task(pass.task(), most_bytes)->facts();
}

table::Frame small_frame() {
  constexpr std::size_t count = 6;
  table::Frame frame;
  frame.rows = count;
  for (const char* name : {"size", "wave", "built", "balcony"})
    frame.columns.push_back(table::owned_numbers(name, table::ColumnType::number, {0, 1, 0.5, 1, 12, -3}));
  table::TextPool texts;
  for (const char* town : {"Aachen", "Bonn", "Bonn", "Cologne", "nowhere"}) texts.add(town);
  texts.add_missing();
  frame.columns.push_back(table::TextPool::finish(std::move(texts), "town"));
  return frame;
}

void use(table::TableWork& work, std::span<const std::byte> task) {
  work.facts();
  const std::vector<double> y{1, 2, 3, 4, 5, 6};
  work.add({small_frame(), y, {}, {}}, 1);
  const std::vector<std::byte> result = work.serialize();
  table::TableWork(task, most_bytes).merge(result);
}

}  // namespace
}  // namespace kore::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kore;
  fuzz::count_execution();
  const auto bytes = fuzz::bytes_of(data, size);
  try {
    if (size > 4 && data[2] == 'B') {
      table::TableWork work(bytes, fuzz::most_bytes);
      fuzz::count_use();
      fuzz::use(work, bytes);
      return 0;
    }
    const std::unique_ptr<Pass> pass = pass_from_task(bytes, fuzz::most_bytes);
    fuzz::count_use();
    fuzz::use(*pass, bytes);
  } catch (const Error&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  return kore::fuzz::mutate_envelope(data, size, most, seed);
}
