#include "kore/smoother.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/bytes.hpp"
#include "base/checked.hpp"
#include "base/finite.hpp"
#include "base/parallel.hpp"
#include "design/design_bytes.hpp"
#include "design/transform.hpp"
#include "solve/blas.hpp"
#include "solve/dense_leverages.hpp"
#include "solve/equation_bytes.hpp"
#include "solve/normal_equations.hpp"
#include "stats/dense_rows.hpp"
#include "stats/press.hpp"

namespace kore {
namespace {

// A pivot this small, relative to its diagonal entry, consists of the ridge and of rounding.
constexpr double nearly_dependent = 1e-9;
constexpr std::uint32_t format_version = 3;  // since 2 a fit names its response, since 3 with a parameter

/// How the leverages of a fit are computed.
enum class Leverages : std::uint8_t { none, triangular, inverse, dense };

std::string name_of_column(const Design& design, std::size_t column) {
  std::size_t term = 0;
  while (term + 1 < design.terms().size() && design.offset(term + 1) <= column) ++term;
  std::string name;
  for (const std::size_t j : design.terms()[term].features) {
    if (!name.empty()) name += " x ";
    const std::string& own = design.features()[j].name;
    name += own.empty() ? "feature " + std::to_string(j) : "'" + own + "'";
  }
  return name;
}

Cholesky factor(const Design& design, std::vector<double> matrix, const SmootherOptions& options) {
  try {
    return {std::move(matrix), design.columns(), options.threads};
  } catch (const NotPositiveDefinite& failure) {
    throw NotPositiveDefinite(
        failure.column(),
        Message(
            "singular_equations",
            "The normal equations are singular in the columns of {term}: they depend on other columns "
            "beyond what the ridge can separate. Drop a duplicated feature, lower the resolution or raise "
            "the ridge.",
            {{"term", name_of_column(design, failure.column())}}));
  }
}

[[noreturn]] void damaged_fit() {
  throw Error(ErrorCode::corrupt_file, "fit_of_another_design",
              "The KORE fit does not belong to its design.");
}

void require_in_fit(bool holds, std::string_view field) {
  if (!holds)
    throw Error(ErrorCode::corrupt_file, "damaged_fit", "The KORE fit is damaged: its {field} cannot be.",
                {{"field", field}});
}

std::vector<double> read_numbers(ByteReader& in, std::size_t expected, std::string_view field) {
  std::vector<double> values = in.f64s();
  if (values.size() != expected) damaged_fit();
  require_in_fit(all_finite(values), field);
  return values;
}

/// A fit holds a triangle of its columns. The functions behind these are a few times as many, so that bytes
/// that claim far more are damaged, and would ask for memory that no fit of their length needs.
void require_bytes_for(const Design& design, std::size_t numbers) {
  constexpr std::size_t functions_per_column = 16;  // 8 in a triple of lines, and one-level categories
  const std::size_t raw = design.raw_columns() / functions_per_column;
  require_in_fit(raw <= numbers && saturated_product(raw, raw) <= numbers, "design");
}

}  // namespace

struct Smoother::State {
  State(Design solved, NormalEquations equations, const SmootherOptions& options)
      : design(std::move(solved)),
        own_response(owned(*options.response)),
        response(own_response ? own_response.get() : options.response),
        count_sum(equations.count_sum),
        null_mean(options.constant_predictor.value_or(equations.target_sum / equations.weight_sum)),
        mean_square(!options.constant_predictor && equations.target_squares > 0
                        ? equations.target_squares / equations.weight_sum
                        : 1.0) {
    maps = std::move(equations.maps);
    ridge = penalise(design, options, equations.matrix);
    penalties = options.penalties;
    std::vector<double> diagonal(design.columns());
    for (std::size_t i = 0; i < diagonal.size(); ++i) diagonal[i] = equations.matrix[i * diagonal.size() + i];
    cholesky = factor(design, std::move(equations.matrix), options);
    solution = cholesky.solve(equations.right);
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      const double pivot = cholesky.factor()[i * diagonal.size() + i];
      weakest_pivot = std::min(weakest_pivot, pivot * pivot / diagonal[i]);
    }
    to_raw_layout();
    if (options.leverages) prepare_leverages(diagonal, options);
  }

  State(ByteReader& in, std::uint32_t version, int threads)
      : design(read_design(in)), count_sum(in.f64()), null_mean(in.f64()), mean_square(in.f64()) {
    require_in_fit(count_sum > 0 && std::isfinite(count_sum), "number of rows");
    require_in_fit(std::isfinite(null_mean) && mean_square > 0, "mean of the target");
    require_bytes_for(design, in.remaining() / sizeof(double));
    maps = read_term_maps(in, design);
    const std::size_t p = design.columns();
    cholesky = Cholesky::from_factor(read_triangle(in, p), p);
    for (std::size_t i = 0; i < p; ++i) {
      const std::span<const double> column = cholesky.factor().subspan(i * p + i, p - i);
      require_in_fit(all_finite(column) && column[0] > 0, "factor");
    }
    solution = read_numbers(in, p, "solution");
    ridge = in.f64();
    require_in_fit(ridge >= 0 && std::isfinite(ridge), "ridge");
    weakest_pivot = in.f64();
    require_in_fit(!std::isnan(weakest_pivot), "weakest pivot");
    penalties.resize(in.count(24));
    for (TermPenalty& penalty : penalties) {
      penalty.term = in.u64();
      if (penalty.term >= design.terms().size()) damaged_fit();
      penalty.weight = in.f64();
      const std::size_t m = design.term_columns(penalty.term);
      require_in_fit(penalty.weight >= 0 && std::isfinite(penalty.weight), "penalty weights");
      penalty.matrix = read_numbers(in, m * m, "penalties");
    }
    to_raw_layout();
    const auto leverages = read_enum(in, Leverages::dense);
    if (in.u8() != 0) inverse_diagonal = read_numbers(in, p, "variances");
    if (version > 1) read_response(in, version);
    if (leverages == Leverages::none) return;
    exact.emplace(design, maps, cholesky);
    if (leverages == Leverages::triangular) return;
    std::vector<double> half = cholesky.inverse_factor(threads);
    take_inverse(std::move(half), leverages == Leverages::dense, threads);
  }

  /// A response with a parameter may live shorter than this fit.
  static std::shared_ptr<const Response> owned(const Response& response) {
    return response.parameter() != 0 ? response_with(response.name(), response.parameter()) : nullptr;
  }

  /// Since version 3 a response has its parameter.
  void read_response(ByteReader& in, std::uint32_t version) {
    const std::string name = in.text();
    own_response = response_with(name, version > 2 ? in.f64() : 0);
    response = own_response.get();
    if (response == nullptr) damaged_fit();
  }

  void write_to(ByteWriter& out) const {
    write(out, design);
    for (const double value : {count_sum, null_mean, mean_square}) out.f64(value);
    write(out, maps);
    write_triangle(out, cholesky.factor(), design.columns());
    out.f64s(solution);
    out.f64(ridge);
    out.f64(weakest_pivot);
    out.u64(penalties.size());
    for (const TermPenalty& penalty : penalties) {
      out.u64(penalty.term);
      out.f64(penalty.weight);
      out.f64s(penalty.matrix);
    }
    out.u8(static_cast<std::uint8_t>(kind_of_leverages()));
    out.u8(inverse_diagonal.empty() ? 0 : 1);
    if (!inverse_diagonal.empty()) out.f64s(inverse_diagonal);
    out.text(response->name());
    out.f64(response->parameter());
  }

  Leverages kind_of_leverages() const {
    if (!exact) return Leverages::none;
    if (inverse) return Leverages::inverse;
    return exact->by_products() ? Leverages::dense : Leverages::triangular;
  }

  void refine(const GramAccumulator& residuals) {
    std::vector<double> right = solved_products(residuals, maps);
    for (std::size_t i = 0; i < right.size(); ++i) right[i] -= ridge * solution[i];
    for (const TermPenalty& penalty : penalties) {
      const std::size_t m = design.term_columns(penalty.term);
      const std::size_t offset = design.offset(penalty.term);
      for (std::size_t j = 0; j < m; ++j)
        for (std::size_t i = 0; i < m; ++i)
          right[offset + i] -= penalty.weight * penalty.matrix[j * m + i] * solution[offset + j];
    }
    const std::vector<double> correction = cholesky.solve(right);
    for (std::size_t i = 0; i < correction.size(); ++i) solution[i] += correction[i];
    to_raw_layout();
  }

  void to_raw_layout() {
    coefficients.clear();
    intercept = design.has_intercept() ? solution[0] : 0.0;
    for (std::size_t t = 0; t < design.terms().size(); ++t) {
      const auto first = solution.begin() + static_cast<std::ptrdiff_t>(design.offset(t));
      std::vector<double> own(first, first + static_cast<std::ptrdiff_t>(design.term_columns(t)));
      const auto raw = solved_rows_to_raw(maps[t], std::move(own), 1);
      coefficients.insert(coefficients.end(), raw.begin(), raw.end());
    }
  }

  void prepare_leverages(const std::vector<double>& diagonal, const SmootherOptions& options) {
    const int threads = options.threads;
    exact.emplace(design, maps, cholesky);
    const std::size_t p = design.columns();
    std::vector<double> half = cholesky.inverse_factor(threads);
    inverse_diagonal.resize(p);
    double inflation = 0;
    for (std::size_t i = 0; i < p; ++i) {
      double squares = 0;
      for (std::size_t k = i; k < p; ++k) squares += half[i * p + k] * half[i * p + k];
      inverse_diagonal[i] = squares;
      inflation = std::max(inflation, squares * diagonal[i]);
    }
    if (!(inflation < options.inverse_limit)) return;
    take_inverse(std::move(half), options.dense_leverages, threads);
  }

  void take_inverse(std::vector<double> half, bool dense, int threads) {
    if (dense) {
      exact->multiply_by(std::move(half));
      return;
    }
    const std::vector<double> full = lower_gram(half, design.columns(), threads);
    half = {};
    spread_inverse(full, threads);
  }

  void spread_inverse(const std::vector<double>& full, int threads) {
    const std::size_t p = design.columns();
    inverse.emplace(design);
    const auto& blocks = inverse->layout.blocks();
    parallel_for(blocks.size(), p < 128 ? 1 : threads, [&](std::size_t b) {
      const std::size_t t = blocks[b].left;
      const std::size_t u = blocks[b].right;
      std::vector<double> own(design.term_columns(t) * design.term_columns(u));
      for (std::size_t i = 0; i < design.term_columns(t); ++i)
        for (std::size_t j = 0; j < design.term_columns(u); ++j)
          own[i * design.term_columns(u) + j] = full[(design.offset(t) + i) * p + design.offset(u) + j];
      std::vector<double> raw = solved_rows_to_raw(maps[t], std::move(own), design.term_columns(u));
      raw = solved_columns_to_raw(maps[u], std::move(raw), design.raw_term_columns(t));
      inverse->layout.spread(blocks[b], raw, t == u ? 1.0 : 2.0,
                             inverse->strips.span().subspan(blocks[b].offset, blocks[b].size));
    });
    if (!design.has_intercept()) return;
    inverse->constant = full[0];
    for (std::size_t t = 0; t < design.terms().size(); ++t) {
      const auto first = full.begin() + static_cast<std::ptrdiff_t>(design.offset(t));
      std::vector<double> own(first, first + static_cast<std::ptrdiff_t>(design.term_columns(t)));
      const auto raw = solved_rows_to_raw(maps[t], std::move(own), 1);
      inverse->linear.emplace_back(inverse->layout.beside_size(t, 1));
      inverse->layout.spread_beside(t, 1, raw, 2.0, inverse->linear.back().span());
    }
  }

  Design design;
  std::shared_ptr<const Response> own_response;  // of a fit that was read
  const Response* response = &normal_response();
  double count_sum;
  double null_mean;
  double mean_square;
  std::vector<TermMap> maps;
  Cholesky cholesky;
  std::vector<double> solution;
  double intercept = 0;
  std::vector<double> coefficients;
  std::vector<double> inverse_diagonal;
  double ridge = 0;
  std::vector<TermPenalty> penalties;
  double weakest_pivot =
      1;  // relative to the diagonal: the share of a column that those before it do not span
  std::optional<InverseStrips> inverse;
  std::optional<DenseLeverages> exact;
};

Smoother::Smoother(const GramAccumulator& gram, const SmootherOptions& options)
    : state_(std::make_unique<State>(gram.design(), normal_equations(gram, options.threads), options)) {}
Smoother::Smoother(std::unique_ptr<State> state) : state_(std::move(state)) {}
Smoother::~Smoother() = default;
Smoother::Smoother(Smoother&&) noexcept = default;
Smoother& Smoother::operator=(Smoother&&) noexcept = default;

struct SmootherMaker {
  static Smoother make(Design design, NormalEquations equations, const SmootherOptions& options) {
    return Smoother(std::make_unique<Smoother::State>(std::move(design), std::move(equations), options));
  }
};

Smoother solve_equations(Design design, NormalEquations equations, const SmootherOptions& options) {
  return SmootherMaker::make(std::move(design), std::move(equations), options);
}

std::vector<std::byte> Smoother::serialize() const {
  ByteWriter out;
  state_->write_to(out);
  return seal("KFIT", format_version, out.bytes());
}

Smoother Smoother::deserialize(std::span<const std::byte> bytes, int threads) {
  const Opened opened = open_sealed(bytes, "KFIT", format_version, "fit");
  ByteReader in(opened.content);
  return Smoother(std::make_unique<State>(in, opened.version, threads));
}

const Design& Smoother::design() const { return state_->design; }
const Response& Smoother::response() const { return *state_->response; }
const std::vector<double>& Smoother::solution() const { return state_->solution; }
double Smoother::intercept() const { return state_->intercept; }
const std::vector<double>& Smoother::coefficients() const { return state_->coefficients; }
const std::vector<double>& Smoother::inverse_diagonal() const { return state_->inverse_diagonal; }
std::vector<std::vector<double>> Smoother::inverse_blocks(std::span<const std::size_t> terms,
                                                          int threads) const {
  const std::size_t p = state_->design.columns();
  const std::vector<double> half = state_->cholesky.inverse_factor(threads);
  std::vector<std::vector<double>> all(terms.size());
  parallel_for(terms.size(), threads, [&](std::size_t i) {
    const std::size_t offset = state_->design.offset(terms[i]);
    const std::size_t m = state_->design.term_columns(terms[i]);
    const double* own = half.data() + offset * (p + 1);  // zeros above
    all[i].resize(m * m);
    inner_product(own, m, p, own, m, p, p - offset, all[i].data(), m);
  });
  return all;
}

std::vector<std::vector<double>> Smoother::covariances(std::span<const std::size_t> terms,
                                                       int threads) const {
  std::vector<std::vector<double>> all = inverse_blocks(terms, threads);
  for (std::size_t i = 0; i < terms.size(); ++i)
    all[i] = raw_covariance(state_->maps[terms[i]], std::move(all[i]));
  return all;
}

void Smoother::half_solve(std::span<double> columns, std::size_t count) const {
  state_->cholesky.half_solve(columns, count);
}

bool Smoother::uses_inverse() const { return state_->inverse.has_value(); }

bool Smoother::wants_refinement() const { return state_->weakest_pivot < nearly_dependent; }
void Smoother::refine(const GramAccumulator& residuals) { state_->refine(residuals); }

PressSums Smoother::press(const RowBlock& block, int threads, const PressRows& rows) const {
  const State& state = *state_;
  PressInput input;
  input.design = &state.design;
  input.intercept = state.intercept;
  input.coefficients = state.coefficients;
  input.inverse = state.inverse ? &*state.inverse : nullptr;
  input.exact = state.exact ? &*state.exact : nullptr;
  input.response = state.response;
  input.constant = {state.null_mean, state.count_sum, state.mean_square};
  return kore::press(input, block, threads, rows);
}

}  // namespace kore
