#include "grow/direction_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "base/parts.hpp"
#include "kore/statistics.hpp"
#include "penalty/roughness.hpp"
#include "solve/blas.hpp"
#include "stats/dense_rows.hpp"

namespace kore {
namespace {

constexpr std::size_t panel_rows = 256;
constexpr std::size_t worth_a_part = 512;  // rows
constexpr std::size_t tile = 96;           // columns: BLAS is fastest at tall and narrow products

/// Writes rows of the solved layout, a panel at a time, each times the root of its weight.
class Panels {
 public:
  Panels(const Design& design, const std::vector<TermMap>& maps, const WorkingBlock& block,
         std::span<const double> roots)
      : design_(design), dense_(design, maps), block_(block), roots_(roots) {}

  std::size_t count() const { return (block_.rows() + panel_rows - 1) / panel_rows; }
  std::size_t first(std::size_t panel) const { return panel * panel_rows; }
  std::size_t rows(std::size_t panel) const { return std::min(panel_rows, block_.rows() - first(panel)); }

  void write(std::size_t panel, LocalBlock& local, std::vector<double>& out) const {
    const std::size_t p = design_.columns();
    for (std::size_t j = 0; j < design_.features().size(); ++j)
      local.evaluate(j, block_.x, first(panel), rows(panel), Extrapolation::continue_polynomial);
    std::vector<std::size_t> all(rows(panel));
    std::iota(all.begin(), all.end(), std::size_t{0});
    out.resize(all.size() * p);
    dense_.write(local, all, out.data());
    for (std::size_t r = 0; r < all.size(); ++r) {
      // A row of weight zero may lie far outside the knots, where functions overflow.
      const double root = roots_[first(panel) + r];
      if (root == 1) continue;
      const auto row = out.begin() + static_cast<std::ptrdiff_t>(r * p);
      std::transform(row, row + static_cast<std::ptrdiff_t>(p), row,
                     [root](double value) { return root > 0 ? root * value : 0; });
    }
  }

 private:
  const Design& design_;
  DenseRows dense_;
  const WorkingBlock& block_;
  std::span<const double> roots_;
};

std::vector<double> roots_of(const WorkingBlock& block) {
  std::vector<double> roots;
  for (std::size_t r = 0; r < block.rows(); ++r) roots.push_back(std::sqrt(block.weights[r]));
  return roots;
}

bool reducible(const GrownTerm& grown) { return grown.term.order() > 1 && grown.weights.size() == 1; }

/// Effects of levels or of single values.
bool of_levels(const Design& design, std::size_t term, const GrownTerm& grown) {
  return grown.term.order() == 1 && grown.weights.size() == 1 && design.basis(term, 0).degree() == 0 &&
         design.term_columns(term) > 0;
}

/// The Gram matrix of every reducible term by itself, its lower triangle at least.
std::vector<std::vector<double>> own_grams(const Design& design, const Panels& panels,
                                           std::span<const GrownTerm> terms, int threads) {
  std::vector<std::vector<double>> zeros(terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t)
    if (reducible(terms[t])) zeros[t].resize(design.term_columns(t) * design.term_columns(t));
  const std::size_t parts =
      count_parts([&](std::size_t count) { return panels.count() * panel_rows >= count * worth_a_part; });
  std::vector<std::vector<std::vector<double>>> sums(parts, zeros);
  parallel_for(parts, threads, [&](std::size_t part) {
    LocalBlock local(design, panel_rows, false);
    std::vector<double> rows;
    const auto [first, count] = part_of_rows(panels.count(), part, parts);
    for (std::size_t panel = first; panel < first + count; ++panel) {
      panels.write(panel, local, rows);
      for (std::size_t t = 0; t < terms.size(); ++t) {
        const std::size_t m = design.term_columns(t);
        const double* own = rows.data() + design.offset(t);
        if (reducible(terms[t]))
          add_outer(own, m, design.columns(), own, m, design.columns(), panels.rows(panel),
                    sums[part][t].data(), m);
      }
    }
  });
  for (std::size_t part = 1; part < parts; ++part)
    for (std::size_t t = 0; t < terms.size(); ++t) add_to(sums[0][t], sums[part][t]);
  return std::move(sums[0]);
}

DirectionBasis basis_of(const Design& design, std::vector<TermMap> maps, const Panels& panels,
                        std::span<const GrownTerm> terms, double negligible, int threads) {
  std::vector<std::vector<double>> grams = own_grams(design, panels, terms, threads);
  DirectionBasis basis{design, std::move(maps), std::vector<Directions>(terms.size()), {}};
  parallel_for(terms.size(), threads, [&](std::size_t t) {
    basis.directions[t] = of_levels(design, t, terms[t]) ? Directions::levels(basis.maps[t].front().means)
                          : reducible(terms[t])
                              ? strong_directions(std::move(grams[t]), term_penalties(design, t).front(),
                                                  negligible * terms[t].weights.front())
                              : Directions::all(design.term_columns(t));
  });
  for (const Directions& own : basis.directions) {
    basis.offsets.push_back(basis.columns);
    basis.columns += own.kept;
  }
  return basis;
}

/// Which indicator is one, in a row that is multiplied by `root`.
void write_levels(const Directions& levels, const double* centred, double root, double* out) {
  double last = root;
  for (std::size_t l = 0; l < levels.columns; ++l) {
    out[l] = std::round((centred[l] + root * levels.level_means[l]) / root) * root;
    last -= out[l];
  }
  out[levels.columns] = last;
}

/// The rows of a panel in the basis.
void combine(const DirectionBasis& basis, const std::vector<double>& panel, std::size_t rows, double* out) {
  const std::size_t p = basis.design.columns();
  for (std::size_t r = 0; r < rows; ++r) out[r * basis.columns] = panel[r * p];
  for (std::size_t t = 0; t < basis.directions.size(); ++t) {
    const Directions& own = basis.directions[t];
    const double* from = panel.data() + basis.design.offset(t);
    double* to = out + basis.offsets[t];
    if (own.are_levels()) {
      for (std::size_t r = 0; r < rows; ++r)
        if (panel[r * p] > 0) write_levels(own, from + r * p, panel[r * p], to + r * basis.columns);
    } else if (own.map.empty()) {
      for (std::size_t r = 0; r < rows; ++r) std::copy_n(from + r * p, own.columns, to + r * basis.columns);
    } else {
      inner_product(own.map.data(), own.kept, own.columns, from, rows, p, own.columns, to, basis.columns);
    }
  }
}

}  // namespace

FittedFunction DirectionBasis::function_of(std::span<const double> coefficients) const {
  FittedFunction function{design, coefficients.front(), {}};
  for (std::size_t t = 0; t < directions.size(); ++t) {
    const auto own = coefficients.subspan(offsets[t], directions[t].kept);
    std::vector<double> solved(own.begin(), own.end());
    if (directions[t].are_levels()) {
      const std::vector<double>& means = directions[t].level_means;
      for (std::size_t l = 0; l < means.size(); ++l) {
        solved[l] -= own.back();
        function.intercept += means[l] * solved[l];
      }
      function.intercept += own.back();
      solved.pop_back();
    } else if (!directions[t].map.empty()) {
      solved.resize(directions[t].columns);
      product(directions[t].map.data(), directions[t].columns, directions[t].columns, own.data(), 1,
              own.size(), own.size(), solved.data(), solved.size());
    }
    const std::vector<double> raw = solved_rows_to_raw(maps[t], std::move(solved), 1);
    function.coefficients.insert(function.coefficients.end(), raw.begin(), raw.end());
  }
  return function;
}

DirectionBasis DirectionBasis::restricted_to(std::span<const std::size_t> terms,
                                             std::span<const std::size_t> columns_left, Design left) const {
  DirectionBasis fewer{std::move(left), {}, {}, {}};
  for (const std::size_t t : terms) {
    const auto first = std::ranges::lower_bound(columns_left, offsets[t]);
    const auto last = std::ranges::lower_bound(columns_left, offsets[t] + directions[t].kept);
    fewer.maps.push_back(maps[t]);
    fewer.directions.push_back(directions[t].strongest(static_cast<std::size_t>(last - first)));
    fewer.offsets.push_back(fewer.columns);
    fewer.columns += fewer.directions.back().kept;
  }
  return fewer;
}

void DirectionRows::keep_columns(std::span<const std::size_t> columns) {
  const std::size_t before = rows.size() / std::max<std::size_t>(target.size(), 1);
  if (columns.size() == before) return;
  auto to = rows.begin();
  for (std::size_t r = 0; r < target.size(); ++r)
    for (const std::size_t column : columns) *to++ = rows[r * before + column];
  rows.erase(to, rows.end());
}

DirectionBasis direction_basis(const GrowingData& data, const Design& design,
                               std::span<const GrownTerm> terms, double negligible) {
  WorkingMemory memory;
  const WorkingBlock block = working_rows_of(data, memory);
  GramAccumulator sums(design, GramBlocks::none);
  sums.add(block, data.threads);
  const std::vector<TermMap> maps = term_maps(design, sums.sums(), sums.weight_sum());
  const std::vector<double> roots = roots_of(block);
  return basis_of(design, maps, Panels(design, maps, block, roots), terms, negligible, data.threads);
}

DirectionRows rows_in(const GrowingData& data, DirectionBasis basis) {
  WorkingMemory memory;
  const WorkingBlock block = working_rows_of(data, memory);
  DirectionRows result{std::move(basis), {}, {}, roots_of(block)};
  const Panels panels(result.basis.design, result.basis.maps, block, result.roots);
  result.rows.resize(block.rows() * result.basis.columns);
  parallel_for(panels.count(), data.threads, [&](std::size_t panel) {
    LocalBlock local(result.basis.design, panel_rows, false);
    std::vector<double> rows;
    panels.write(panel, local, rows);
    combine(result.basis, rows, panels.rows(panel),
            result.rows.data() + panels.first(panel) * result.basis.columns);
  });
  for (std::size_t r = 0; r < block.rows(); ++r) {
    const double weight = block.weights[r];
    const double target = weight > 0 ? block.target[r] : 0;
    result.target.push_back(result.roots[r] * target);
    result.weight_sum += weight;
    result.count_sum += block.counts[r];
    result.target_sum += weight * target;
    result.target_squares += weight * target * target;
  }
  result.target_squares += data.within_squares;
  return result;
}

DirectionRows direction_rows(const GrowingData& data, const Design& design, std::span<const GrownTerm> terms,
                             double negligible) {
  return rows_in(data, direction_basis(data, design, terms, negligible));
}

Products products_of(const DirectionRows& rows, int threads) {
  const std::size_t p = rows.basis.columns;
  const std::size_t count = rows.target.size();
  Products products{std::vector<double>(p * p), std::vector<double>(p)};
  parallel_for((p + tile - 1) / tile, threads, [&](std::size_t t) {
    const std::size_t column = t * tile;
    add_outer(rows.rows.data() + column, p - column, p, rows.rows.data() + column, std::min(tile, p - column),
              p, count, products.matrix.data() + column * p + column, p);
  });
  add_outer(rows.rows.data(), p, p, rows.target.data(), 1, 1, count, products.right.data(), p);
  return products;
}

}  // namespace kore
