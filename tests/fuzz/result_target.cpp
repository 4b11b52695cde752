// Sums that come back from an executor, merged into the pass that they claim to belong to: of rows (KSUM), or
// of a table (KTRS).
#include <cstdlib>

#include "base/bytes.hpp"
#include "fuzz/passes.hpp"
#include "fuzz/uses.hpp"
#include "pass/format.hpp"
#include "table/table_task.hpp"

namespace kore::fuzz {
namespace {

struct KnownTask {
  PassKind kind;
  Bytes task;
};

const std::vector<KnownTask>& tasks_of_rows() {
  static const std::vector<KnownTask> all = [] {
    std::vector<KnownTask> made;
    for (const auto& pass : all_passes().passes) {
      const Bytes task = pass->task();
      made.push_back({open_task(task).kind, task});
    }
    return made;
  }();
  return all;
}

const std::vector<Bytes>& tasks_of_tables() {
  static const std::vector<Bytes> all = table_tasks();
  return all;
}

/// What was merged can be merged again, sent on, and merged elsewhere. Whether it was merged.
bool merge(const Bytes& task, Given result) {
  const std::unique_ptr<Pass> pass = pass_from_task(task);
  if (!allow_refusal([&] { pass->merge(result); })) return false;
  consume("a second merge, sent on", [&] {
    pass->merge(result);
    pass_from_task(task)->merge(pass->serialize());
  });
  return true;
}

bool merge_into_table(const Bytes& task, Given result) {
  table::TableWork work(task);
  if (!allow_refusal([&] { work.merge(result); })) return false;
  consume("a second merge of tables, sent on", [&] {
    work.merge(result);
    table::TableWork(task).merge(work.serialize());
  });
  return true;
}

/// The kind that the result claims to be of, so that only passes of that kind are tried.
bool is_of(PassKind kind, Given result) {
  return allow_refusal([&] { open_result(kind, result); });
}

}  // namespace

bool run_result(Given bytes) {
  bool merged = false;
  const bool of_table = bytes.size() > 4 && bytes[1] == std::byte{'T'};
  if (of_table) {
    for (const Bytes& task : tasks_of_tables()) merged |= merge_into_table(task, bytes);
    return merged;
  }
  for (const KnownTask& known : tasks_of_rows())
    if (is_of(known.kind, bytes)) merged |= merge(known.task, bytes);
  return merged;
}

}  // namespace kore::fuzz
