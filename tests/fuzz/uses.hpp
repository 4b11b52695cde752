#pragma once

#include <span>
#include <string_view>

#include "fuzz/targets.hpp"

/// What was done with bytes that were accepted. It is counted, because a consumer that never runs tests
/// nothing, and neither does one that refuses everything.
namespace kore::fuzz {

struct Use {
  std::string_view name;
  unsigned long long runs = 0;     ///< That went to their end.
  unsigned long long refused = 0;  ///< That ended with a sentence.
};

/// All that ran in this process so far, in the order of their first run.
std::span<const Use> uses();
/// How many runs went to their end, of all consumers together.
unsigned long long finished_uses();

/// The name must outlive the process, as literals do.
void count_use(std::string_view name, bool finished);

/// Runs a consumer, which may refuse what it is asked. Whether it did not.
template <class Work>
bool consume(std::string_view name, const Work& work) {
  const bool finished = allow_refusal(work);
  count_use(name, finished);
  return finished;
}

}  // namespace kore::fuzz
