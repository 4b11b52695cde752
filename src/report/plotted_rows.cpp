#include "report/plotted_rows.hpp"

#include <algorithm>
#include <cmath>

namespace kore::report {
namespace {

constexpr std::size_t most_rows = 4096;
constexpr std::size_t rows_for_overlaps = 1500;
constexpr std::size_t most_terms = 150;
constexpr std::size_t most_overlaps = 5;
constexpr double strong = 0.5;
constexpr double negligible_share = 0.002;
constexpr std::size_t most_compared = 300;  // features, with one another
constexpr double nearly_one = 0.99;

/// Mean zero and length one.
void make_direction(std::vector<double>& values) {
  double mean = 0;
  for (const double v : values) mean += v / static_cast<double>(values.size());
  double squares = 0;
  for (double& v : values) {
    v -= mean;
    squares += v * v;
  }
  for (double& v : values) v *= squares > 0 ? 1 / std::sqrt(squares) : 0;
}

/// The values of a term in evenly spaced rows of the sample, with mean zero and length one.
std::vector<double> direction(const Decomposition& shown, std::size_t term, const PlottedRows& sample) {
  const std::vector<std::size_t>& features = shown.terms[term].features;
  const std::size_t step = sample.y().size() / rows_for_overlaps + 1;
  std::vector<double> values;
  std::vector<double> point(features.size());
  for (std::size_t r = 0; r < sample.y().size(); r += step) {
    for (std::size_t c = 0; c < features.size(); ++c) point[c] = sample.column(features[c])[r];
    values.push_back(term_value(shown, term, point));
  }
  make_direction(values);
  return values;
}

double product(const std::vector<double>& left, const std::vector<double>& right) {
  double sum = 0;
  for (std::size_t r = 0; r < left.size(); ++r) sum += left[r] * right[r];
  return sum;
}

std::vector<std::size_t> terms_that_matter(const Decomposition& shown) {
  std::vector<std::size_t> terms;
  for (std::size_t t = 0; t < shown.effects.size(); ++t)
    if (shown.effects[t].share >= negligible_share) terms.push_back(t);
  std::ranges::stable_sort(terms, std::ranges::greater{},
                           [&](std::size_t t) { return shown.effects[t].share; });
  if (terms.size() > most_terms) terms.resize(most_terms);
  return terms;
}

}  // namespace

double place_of(const Feature& feature, double value) {
  return feature.cyclic ? into_period(feature.range, value) : value;
}

void PlottedRows::add(const RowBlock& block) {
  for (std::size_t r = 0; r < block.rows(); ++r) {
    weight_ += block.weight(r);
    if (rows_++ % step_ != 0) continue;
    for (std::size_t j = 0; j < columns_.size(); ++j)
      columns_[j].push_back(place_of(features_[j], block.x(r, j)));
    y_.push_back(block.y[r]);
    if (y_.size() >= most_rows) thin();
  }
}

void PlottedRows::thin() {
  const auto every_second = [](std::vector<double>& values) {
    for (std::size_t i = 0; 2 * i < values.size(); ++i) values[i] = values[2 * i];
    values.resize((values.size() + 1) / 2);
  };
  for (std::vector<double>& column : columns_) every_second(column);
  every_second(y_);
  step_ *= 2;
}

MatrixView PlottedRows::x() const {
  std::vector<ColumnView> views;
  for (const std::vector<double>& column : columns_) views.push_back({column.data(), 1});
  return {std::move(views), y_.size()};
}

std::vector<Overlap> overlaps(const Decomposition& shown, const PlottedRows& sample) {
  const std::vector<std::size_t> terms = terms_that_matter(shown);
  std::vector<std::vector<double>> directions;
  for (const std::size_t t : terms) directions.push_back(direction(shown, t, sample));
  std::vector<Overlap> found;
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t j = i + 1; j < terms.size(); ++j) {
      const double correlation = product(directions[i], directions[j]);
      if (std::abs(correlation) >= strong) found.push_back({terms[i], terms[j], correlation});
    }
  std::ranges::stable_sort(found, std::ranges::greater{},
                           [](const Overlap& o) { return std::abs(o.correlation); });
  if (found.size() > most_overlaps) found.resize(most_overlaps);
  return found;
}

std::vector<NearEqual> near_equal(const std::vector<Feature>& features, const PlottedRows& sample) {
  std::vector<std::size_t> numbers;
  std::vector<std::vector<double>> directions;
  for (std::size_t j = 0; j < features.size() && numbers.size() < most_compared; ++j) {
    if (features[j].kind == FeatureKind::category) continue;
    numbers.push_back(j);
    directions.push_back(sample.column(j));
    make_direction(directions.back());
  }
  std::vector<NearEqual> found;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (std::size_t k = i + 1; k < numbers.size(); ++k) {
      const double correlation = product(directions[i], directions[k]);
      if (std::abs(correlation) > nearly_one)
        found.push_back(
            {numbers[i], numbers[k], correlation, sample.column(numbers[i]) == sample.column(numbers[k])});
    }
  std::ranges::stable_sort(found, std::ranges::greater{},
                           [](const NearEqual& pair) { return std::abs(pair.correlation); });
  return found;
}

}  // namespace kore::report
