#pragma once

#include <barrier>
#include <cstddef>
#include <functional>

namespace kore {

/// The number of threads to use: `requested`, or all cores if it is 0. Throws `invalid_argument` if negative.
int resolve_threads(int requested);

/// Calls `work(i)` for every `i` below `count`, on at most `threads` threads, in no particular order. `work`
/// must write only to places that belong to `i`: then the result does not depend on the number of threads.
/// The first exception is rethrown after all have stopped.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

/// Runs `work(member, barrier)` on `threads` threads at once. For loops that alternate between steps and
/// cannot afford to start threads for each. An exception in one member is rethrown after all have stopped;
/// the others must be able to go on without it.
void parallel_region(int threads, const std::function<void(int member, std::barrier<>& barrier)>& work);

}  // namespace kore
