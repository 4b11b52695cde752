#pragma once

namespace kore {

// Every function here must be inlined. Kernels compiled for different instruction sets include this file, and
// a shared copy of a function could use instructions that the machine does not have.

// The values of the `degree + 1` uniform B-splines that are not zero on one interval, at `u` (0 at its left
// end, 1 at its right end). They are polynomials in `u`, so that `u` outside [0,1] continues them. Cox-de
// Boor with unit spacing: every denominator is the degree of the step.
template <int degree>
[[gnu::always_inline]] inline void local_values(double u, double* value) {
  value[0] = 1;
  for (int j = 1; j <= degree; ++j) {
    double saved = 0;
    for (int r = 0; r < j; ++r) {
      const double share = value[r] / j;
      value[r] = saved + (r + 1 - u) * share;
      saved = (u + j - 1 - r) * share;
    }
    value[j] = saved;
  }
}

// Closed form of the cubic case, the one that hot loops see.
template <>
[[gnu::always_inline]] inline void local_values<3>(double u, double* value) {
  constexpr double sixth = 1.0 / 6.0;
  const double v = 1 - u;
  const double u2 = u * u;
  const double v2 = v * v;
  value[0] = v2 * v * sixth;
  value[1] = (u2 * (3 * u - 6) + 4) * sixth;
  value[2] = (v2 * (3 * v - 6) + 4) * sixth;
  value[3] = u2 * u * sixth;
}

// The level of a category at position `x`; the last level where `x` is not a position.
[[gnu::always_inline]] inline int level_of(double x, int levels) {
  if (!(x >= 0 && x < levels)) return levels - 1;
  const int level = static_cast<int>(x);
  return level == x ? level : levels - 1;
}

// Calls `f` with the degree, from 1 on, as a compile-time constant.
template <class F>
[[gnu::always_inline]] inline void with_degree(int degree, F&& f) {
  switch (degree) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
    case 5:
      return f.template operator()<5>();
    case 6:
      return f.template operator()<6>();
    default:
      return f.template operator()<7>();
  }
}

}  // namespace kore
