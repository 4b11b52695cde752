#include "penalty/reduction.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "penalty/directions.hpp"
#include "solve/blas.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

/// Columns of the problem that stay together, and how they are mapped.
struct Part : Directions {
  Part(std::size_t first, std::size_t size) : Directions(all(size)), offset(first) {}

  std::size_t offset = 0;
  std::size_t place = 0;  // offset in the reduced problem
};

/// The block of the Gram matrix, of which the lower triangle is filled.
std::vector<double> block_of(const SmoothingProblem& problem, const Part& rows, const Part& columns) {
  const std::size_t p = problem.right.size();
  std::vector<double> block(rows.columns * columns.columns);
  for (std::size_t j = 0; j < columns.columns; ++j)
    for (std::size_t i = 0; i < rows.columns; ++i) {
      const std::size_t row = std::max(rows.offset + i, columns.offset + j);
      const std::size_t column = std::min(rows.offset + i, columns.offset + j);
      block[j * rows.columns + i] = problem.gram[column * p + row];
    }
  return block;
}

/// The terms and, between them, the columns that belong to no term.
std::vector<Part> parts_of(const SmoothingProblem& problem) {
  std::vector<Part> parts;
  std::size_t next = 0;
  for (const SmoothTerm& term : problem.terms) {
    if (term.offset > next) parts.emplace_back(next, term.offset - next);
    parts.emplace_back(term.offset, term.columns);
    next = term.offset + term.columns;
  }
  if (next < problem.right.size()) parts.emplace_back(next, problem.right.size() - next);
  return parts;
}

/// `left' block right` for the maps of two parts.
std::vector<double> mapped(std::vector<double> block, const Part& left, const Part& right) {
  if (!left.map.empty()) {
    std::vector<double> next(left.kept * right.columns);
    inner_product(left.map.data(), left.kept, left.columns, block.data(), right.columns, left.columns,
                  left.columns, next.data(), left.kept);
    block.swap(next);
  }
  if (!right.map.empty()) {
    std::vector<double> next(left.kept * right.kept);
    product(block.data(), left.kept, left.kept, right.map.data(), right.kept, right.columns, right.columns,
            next.data(), left.kept);
    block.swap(next);
  }
  return block;
}

bool reducible(const SmoothTerm& term) { return term.penalties.size() == 1 && !term.first_weights.empty(); }

}  // namespace

ReducedProblem reduce(const SmoothingProblem& problem, double negligible, int threads) {
  std::vector<Part> parts = parts_of(problem);
  ReducedProblem reduced;
  reduced.problem = problem;
  std::vector<std::size_t> part_of;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (part_of.size() < problem.terms.size() && parts[i].offset == problem.terms[part_of.size()].offset)
      part_of.push_back(i);
  parallel_for(problem.terms.size(), threads, [&](std::size_t t) {
    const SmoothTerm& term = problem.terms[t];
    if (!reducible(term)) return;
    Part& part = parts[part_of[t]];
    static_cast<Directions&>(part) = strong_directions(block_of(problem, part, part), term.penalties.front(),
                                                       negligible * term.first_weights.front());
  });
  std::size_t size = 0;
  for (Part& part : parts) {
    part.place = size;
    size += part.kept;
  }
  for (std::size_t t = 0; t < problem.terms.size(); ++t) {
    SmoothTerm& term = reduced.problem.terms[t];
    const Part& part = parts[part_of[t]];
    term.offset = part.place;
    term.columns = part.kept;
    if (part.map.empty()) continue;
    term.penalties = {identity(part.kept)};
    term.unit_penalty = true;
    term.strongest_last = true;
    term.diagonal = true;
  }
  reduced.gram.resize(size * size);
  parallel_for(parts.size(), threads, [&](std::size_t j) {
    for (std::size_t i = j; i < parts.size(); ++i) {
      const std::vector<double> block = mapped(block_of(problem, parts[i], parts[j]), parts[i], parts[j]);
      for (std::size_t c = 0; c < parts[j].kept; ++c)
        std::copy_n(
            block.begin() + static_cast<std::ptrdiff_t>(c * parts[i].kept), parts[i].kept,
            reduced.gram.begin() + static_cast<std::ptrdiff_t>((parts[j].place + c) * size + parts[i].place));
    }
  });
  for (const Part& part : parts) {
    const auto own = problem.right.subspan(part.offset, part.columns);
    std::vector<double> right(own.begin(), own.end());
    if (!part.map.empty()) {
      right.resize(part.kept);
      inner_product(part.map.data(), part.kept, part.columns, own.data(), 1, part.columns, part.columns,
                    right.data(), part.kept);
    }
    reduced.right.insert(reduced.right.end(), right.begin(), right.end());
  }
  reduced.problem.gram = reduced.gram;
  reduced.problem.right = reduced.right;
  return reduced;
}

}  // namespace kore
