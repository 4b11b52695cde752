#include "experiments/honesty/cells.hpp"

#include <chrono>
#include <cstdio>
#include <mutex>

#include "base/parallel.hpp"

namespace kore::experiments::honesty {

void run_cells(const std::string& part, std::size_t count, const Settings& settings,
               const std::function<void(std::size_t)>& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  constexpr double seconds_between_lines = 5;
  std::mutex telling;
  std::size_t done = 0;
  double told = 0;
  parallel_for(count, settings.threads, [&](std::size_t i) {
    work(i);
    const std::scoped_lock lock(telling);
    ++done;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (done < count && seconds < told + seconds_between_lines) return;
    told = seconds;
    std::fprintf(stderr, "%s: %zu of %zu cells, %.0f s\n", part.c_str(), done, count, seconds);
  });
}

void keep_cells(const std::string& part, const Table& cells, const Settings& settings) {
  if (settings.output.empty()) return;
  std::filesystem::create_directories(settings.output);
  write_table(settings.output / (part + ".csv"), cells);
}

}  // namespace kore::experiments::honesty
