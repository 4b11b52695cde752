#include "design/transform.hpp"

#include <algorithm>
#include <utility>

namespace kore {
namespace {

void contract_run(const CoordinateMap& map, const double* in, double* out) {
  std::copy_n(in, map.columns, out);
  if (map.means.empty()) return;
  double even = 0;
  double odd = 0;
  for (std::size_t b = 0; b + 1 < map.functions; b += 2) {
    even += in[b];
    odd += in[b + 1];
  }
  const double total = map.functions % 2 == 1 ? even + odd + in[map.functions - 1] : even + odd;
  for (std::size_t a = 0; a < map.columns; ++a) out[a] -= map.means[a] * total;
}

void expand_run(const CoordinateMap& map, const double* in, double* out) {
  std::copy_n(in, map.columns, out);
  if (map.means.empty()) return;
  double total = 0;
  for (std::size_t a = 0; a < map.columns; ++a) total += map.means[a] * in[a];
  for (std::size_t b = 0; b < map.functions; ++b) out[b] -= total;
}

/// The same map of the functions of a cyclic coordinate that differ.
CoordinateMap of_one_period(const CoordinateMap& map) {
  return {map.period, map.columns, map.means, map.period};
}

/// Adds up the functions of a cyclic coordinate that share a coefficient.
std::vector<double> folded(const CoordinateMap& map, const std::vector<double>& in, std::size_t before,
                           std::size_t after) {
  std::vector<double> out(before * map.period * after);
  for (std::size_t i = 0; i < before; ++i)
    for (std::size_t b = 0; b < map.functions; ++b)
      for (std::size_t k = 0; k < after; ++k)
        out[(i * map.period + b % map.period) * after + k] += in[(i * map.functions + b) * after + k];
  return out;
}

/// The transpose: hands the coefficients of one period to all functions.
std::vector<double> unfolded(const CoordinateMap& map, const std::vector<double>& in, std::size_t before,
                             std::size_t after) {
  std::vector<double> out(before * map.functions * after);
  for (std::size_t i = 0; i < before; ++i)
    for (std::size_t b = 0; b < map.functions; ++b)
      for (std::size_t k = 0; k < after; ++k)
        out[(i * map.functions + b) * after + k] = in[(i * map.period + b % map.period) * after + k];
  return out;
}

// One dimension of a tensor [before][functions][after] from functions to columns: out_a = in_a - m_a sum_b
// in_b.
std::vector<double> contract(const CoordinateMap& map, const std::vector<double>& in, std::size_t before,
                             std::size_t after) {
  if (map.period < map.functions)
    return contract(of_one_period(map), folded(map, in, before, after), before, after);
  std::vector<double> out(before * map.columns * after);
  if (after == 1) {  // the fastest index: there is no inner loop to vectorise
    for (std::size_t i = 0; i < before; ++i)
      contract_run(map, in.data() + i * map.functions, out.data() + i * map.columns);
    return out;
  }
  std::vector<double> total(after);
  for (std::size_t i = 0; i < before; ++i) {
    const double* source = in.data() + i * map.functions * after;
    double* target = out.data() + i * map.columns * after;
    std::copy_n(source, map.columns * after, target);
    if (map.means.empty()) continue;
    std::fill(total.begin(), total.end(), 0.0);
    for (std::size_t b = 0; b < map.functions; ++b)
      for (std::size_t k = 0; k < after; ++k) total[k] += source[b * after + k];
    for (std::size_t a = 0; a < map.columns; ++a)
      for (std::size_t k = 0; k < after; ++k) target[a * after + k] -= map.means[a] * total[k];
  }
  return out;
}

// The transpose of `contract`: out_b = in_b (zero where b is dropped) - sum_a m_a in_a.
std::vector<double> expand(const CoordinateMap& map, const std::vector<double>& in, std::size_t before,
                           std::size_t after) {
  if (map.period < map.functions)
    return unfolded(map, expand(of_one_period(map), in, before, after), before, after);
  std::vector<double> out(before * map.functions * after);
  if (after == 1) {
    for (std::size_t i = 0; i < before; ++i)
      expand_run(map, in.data() + i * map.columns, out.data() + i * map.functions);
    return out;
  }
  std::vector<double> total(after);
  for (std::size_t i = 0; i < before; ++i) {
    const double* source = in.data() + i * map.columns * after;
    double* target = out.data() + i * map.functions * after;
    std::copy_n(source, map.columns * after, target);
    if (map.means.empty()) continue;
    std::fill(total.begin(), total.end(), 0.0);
    for (std::size_t a = 0; a < map.columns; ++a)
      for (std::size_t k = 0; k < after; ++k) total[k] += map.means[a] * source[a * after + k];
    for (std::size_t b = 0; b < map.functions; ++b)
      for (std::size_t k = 0; k < after; ++k) target[b * after + k] -= total[k];
  }
  return out;
}

using Step = std::vector<double> (*)(const CoordinateMap&, const std::vector<double>&, std::size_t,
                                     std::size_t);

// Applies `step` to every coordinate of a term; the term's index is between `outer` and `inner` other
// indices.
std::vector<double> apply(const TermMap& map, std::vector<double> block, std::size_t outer, std::size_t inner,
                          Step step, std::size_t CoordinateMap::*from, std::size_t CoordinateMap::*to) {
  for (std::size_t c = 0; c < map.size(); ++c) {
    std::size_t before = outer;
    std::size_t after = inner;
    for (std::size_t done = 0; done < c; ++done) before *= map[done].*to;
    for (std::size_t left = c + 1; left < map.size(); ++left) after *= map[left].*from;
    block = step(map[c], block, before, after);
  }
  return block;
}

}  // namespace

std::vector<double> raw_rows_to_solved(const TermMap& map, std::vector<double> block, std::size_t width) {
  return apply(map, std::move(block), 1, width, contract, &CoordinateMap::functions, &CoordinateMap::columns);
}

std::vector<double> raw_columns_to_solved(const TermMap& map, std::vector<double> block, std::size_t height) {
  return apply(map, std::move(block), height, 1, contract, &CoordinateMap::functions,
               &CoordinateMap::columns);
}

std::vector<double> solved_rows_to_raw(const TermMap& map, std::vector<double> block, std::size_t width) {
  return apply(map, std::move(block), 1, width, expand, &CoordinateMap::columns, &CoordinateMap::functions);
}

std::vector<double> solved_columns_to_raw(const TermMap& map, std::vector<double> block, std::size_t height) {
  return apply(map, std::move(block), height, 1, expand, &CoordinateMap::columns, &CoordinateMap::functions);
}

std::vector<double> raw_covariance(const TermMap& map, std::vector<double> block) {
  std::size_t columns = 1;
  std::size_t functions = 1;
  for (const CoordinateMap& coordinate : map) {
    columns *= coordinate.columns;
    functions *= coordinate.functions;
  }
  return solved_columns_to_raw(map, solved_rows_to_raw(map, std::move(block), columns), functions);
}

CoordinateMap coordinate_map(const Design& design, std::size_t term, std::size_t coordinate) {
  return {static_cast<std::size_t>(design.basis(term, coordinate).functions()),
          design.coordinate_columns(term, coordinate),
          {},
          design.marginal(term, coordinate).different_functions()};
}

std::vector<TermMap> term_maps(const Design& design, std::span<const double> sums, double weight) {
  std::vector<TermMap> maps;
  for (std::size_t t = 0; t < design.terms().size(); ++t) {
    TermMap map;
    const std::size_t order = design.terms()[t].order();
    for (std::size_t c = 0; c < order; ++c) map.push_back(coordinate_map(design, t, c));
    if (design.has_intercept()) {
      for (CoordinateMap& coordinate : map) coordinate.means.resize(coordinate.columns);
      const double* sum = sums.data() + design.raw_offset(t);
      for (std::size_t raw = 0; raw < design.raw_term_columns(t); ++raw) {
        std::size_t rest = raw;
        for (std::size_t c = order; c-- > 0;) {
          const std::size_t function = rest % map[c].functions % map[c].period;
          rest /= map[c].functions;
          if (function < map[c].columns) map[c].means[function] += sum[raw] / weight;
        }
      }
    }
    maps.push_back(std::move(map));
  }
  return maps;
}

}  // namespace kore
