// The machine's own speed at what the kernels cannot avoid, with addresses that are known beforehand and
// never collide.
#include "benchmarks/limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/limits.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kore::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t width = 4;
constexpr std::size_t vectors = 256;  // 8 KB of sums, as much as a strip at G = 15
constexpr std::size_t rows = 512;
constexpr std::size_t per_row = 4;

// Both loops touch `per_row` vectors for each of `rows` rows: broadcast of one factor, multiplication by the
// row's vector.
void UpdateRows(const double* left, const double* right, double* sums) {
  const hn::CappedTag<double, width> d;
  constexpr std::size_t lanes = hn::MaxLanes(hn::CappedTag<double, width>());
  for (std::size_t r = 0; r < rows; ++r) {
    double* at = sums + (r * per_row * 3 % vectors) * width;  // neighbouring rows go to different lines
    for (std::size_t v = 0; v < width; v += lanes) {
      const auto a = hn::Load(d, left + r * width + v);
      for (std::size_t s = 0; s < per_row; ++s)
        hn::Store(hn::MulAdd(hn::Set(d, right[r * width + s]), a, hn::Load(d, at + s * width + v)), d,
                  at + s * width + v);
    }
  }
}

void ReadRows(const double* right, const double* sums, double* out) {
  const hn::CappedTag<double, width> d;
  constexpr std::size_t lanes = hn::MaxLanes(hn::CappedTag<double, width>());
  for (std::size_t v = 0; v < width; v += lanes) {
    auto total0 = hn::Zero(d);
    auto total1 = hn::Zero(d);
    auto total2 = hn::Zero(d);
    auto total3 = hn::Zero(d);
    for (std::size_t r = 0; r < rows; ++r) {
      const double* at = sums + (r * per_row * 3 % vectors) * width + v;
      const double* b = right + r * width;
      total0 = hn::MulAdd(hn::Set(d, b[0]), hn::Load(d, at), total0);
      total1 = hn::MulAdd(hn::Set(d, b[1]), hn::Load(d, at + width), total1);
      total2 = hn::MulAdd(hn::Set(d, b[2]), hn::Load(d, at + 2 * width), total2);
      total3 = hn::MulAdd(hn::Set(d, b[3]), hn::Load(d, at + 3 * width), total3);
    }
    hn::Store(hn::Add(hn::Add(total0, total1), hn::Add(total2, total3)), d, out + v);
  }
}

}  // namespace kore::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kore::bench {

HWY_EXPORT(UpdateRows);
HWY_EXPORT(ReadRows);

namespace {

// The shortest of many short runs: nothing but the machine itself can make it shorter.
template <class F>
double seconds_per_vector(F&& run) {
  constexpr int repeats = 400;
  constexpr int calls = 50;
  double best = 1;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < calls; ++call) run();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count() / (calls * 512.0 * 4.0));
  }
  return best;
}

}  // namespace

CacheLimits measure_cache_limits() {
  alignas(64) static double left[512 * 4];
  alignas(64) static double right[512 * 4];
  alignas(64) static double sums[(256 + 8) * 4];
  alignas(64) static double out[8];
  std::fill(std::begin(left), std::end(left), 1e-6);
  std::fill(std::begin(right), std::end(right), 1e-6);
  CacheLimits limits{};
  limits.load_multiply_add_store = seconds_per_vector([&] {
    HWY_DYNAMIC_DISPATCH(UpdateRows)
    (left, right, sums);
  });
  limits.load_multiply_add = seconds_per_vector([&] { HWY_DYNAMIC_DISPATCH(ReadRows)(right, sums, out); });
  return limits;
}

}  // namespace kore::bench
#endif
