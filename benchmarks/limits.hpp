#pragma once

#include <cstddef>

namespace kore::bench {

/// Seconds for one vector of four doubles that a row of a cubic main effect moves, at best, from the
/// first-level cache: what the kernels are measured against. `vectors` says how often.
struct CacheLimits {
  double load_multiply_add_store;  ///< As a Gram strip takes it: read, multiply, add, write back.
  double load_multiply_add;        ///< As a leverage takes it: read, multiply, add in registers.
};

CacheLimits measure_cache_limits();

}  // namespace kore::bench
