#include "report/graded.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/bins.hpp"

namespace kore::report {
namespace {

constexpr std::size_t tenths = 10;
constexpr std::size_t most_ranks = 1000;
constexpr std::size_t most_count_bins = 30;
constexpr double most_counts = 1000;  // beyond, single counts say nothing
constexpr double shown_share = 0.995;

/// Whether the model's family has a probability for every whole number.
bool counts_things(const Model& model) {
  return model.family == "poisson" || model.family == "negative_binomial";
}

/// The ratio of variance to mean that is known of a Poisson target: 1, and of rates one over the mean
/// exposure.
double dispersion_of(const Model& model) {
  if (model.family != "poisson" || !(model.family_parameter > 0)) return 1;
  return model.family_parameter / model.summary.overdispersion;
}

/// The probability of a count is `exp(none + sum of (step + of each count up to it))`, where only `none` and
/// `step` depend on the mean.
struct LogProbability {
  double none = 0;
  double step = 0;
};

LogProbability log_probability(const Model& model, double mean) {
  if (model.family == "poisson") return {-mean, std::log(mean)};
  const double theta = model.family_parameter;
  return {-theta * std::log1p(mean / theta), std::log(mean / (mean + theta))};
}

double log_step_to(const Model& model, double count) {
  return model.family == "poisson" ? -std::log(count)
                                   : std::log((count - 1 + model.family_parameter) / count);
}

std::size_t place_of(const std::vector<double>& edges, double value) {
  const auto after = std::upper_bound(edges.begin(), edges.end(), value);
  const auto place = std::max<std::ptrdiff_t>(after - edges.begin() - 1, 0);
  return std::min(static_cast<std::size_t>(place), edges.size() - 2);
}

std::vector<double> edges_of(std::span<const double> values, std::size_t bins) {
  return quantile_edges({values.begin(), values.end()}, bins);
}

}  // namespace

double Tenth::standard_error() const { return weight > 0 ? std::sqrt(squares) / weight : 0; }

double area_under_roc(std::span<const YesAndNo> ranks) {
  double yes = 0;
  double no = 0;
  double won = 0;
  for (const YesAndNo& rank : ranks) {
    won += rank.yes * (no + rank.no / 2);
    yes += rank.yes;
    no += rank.no;
  }
  return yes > 0 && no > 0 ? won / (yes * no) : std::numeric_limits<double>::quiet_NaN();
}

Grading::Grading(const Model& model, std::span<const double> predictions, std::span<const double> targets,
                 bool own_rows)
    : model_(model),
      response_(response_of(model)),
      null_predictor_(response_->link(model.summary.target_mean)),
      own_rows_(own_rows),
      tenth_edges_(edges_of(predictions, tenths)) {
  graded_.tenths.resize(tenth_edges_.size() - 1);
  if (model.family == "binomial") {
    rank_edges_ = edges_of(predictions, most_ranks);
    graded_.ranks.resize(rank_edges_.size() - 1);
  }
  // Of rates, the exposures are known by the weights of the fit.
  if (counts_things(model) && (own_rows || dispersion_of(model) == 1)) lay_out_counts(targets);
}

void Grading::lay_out_counts(std::span<const double> targets) {
  if (targets.empty()) return;
  std::vector<double> sorted(targets.begin(), targets.end());
  std::ranges::sort(sorted);
  const auto rank = static_cast<std::size_t>(shown_share * static_cast<double>(sorted.size() - 1));
  // A rate is a count of an average row at most a few times over.
  const double most = std::ceil(std::max(sorted[rank] / dispersion_of(model_), 3.0));
  if (!(most <= most_counts)) return;
  const double width = std::ceil((most + 1) / static_cast<double>(most_count_bins));
  for (double first = 0; first <= most; first += width)
    graded_.counts.push_back({first, first + width - 1, 0, 0});
  for (double k = 1; k <= graded_.counts.back().last; ++k) log_steps_.push_back(log_step_to(model_, k));
  graded_.counts.push_back({graded_.counts.back().last + 1, std::numeric_limits<double>::infinity(), 0, 0});
}

void Grading::add(double target, double prediction, double weight) {
  if (!(weight > 0)) return;
  weight_ += weight;
  const double share = weight / weight_;
  graded_.deviance += share * (response_->loss(target, response_->link(prediction)) - graded_.deviance);
  graded_.null_deviance += share * (response_->loss(target, null_predictor_) - graded_.null_deviance);
  Tenth& tenth = graded_.tenths[place_of(tenth_edges_, prediction)];
  tenth.weight += weight;
  const double before = target - tenth.observed;
  tenth.observed += weight / tenth.weight * before;
  tenth.squares += weight * before * (target - tenth.observed);
  tenth.predicted += weight / tenth.weight * (prediction - tenth.predicted);
  if (!graded_.ranks.empty()) {
    YesAndNo& rank = graded_.ranks[place_of(rank_edges_, prediction)];
    rank.yes += weight * target;
    rank.no += weight * (1 - target);
  }
  if (!graded_.counts.empty()) add_count(target, prediction, weight);
}

void Grading::add_count(double target, double prediction, double weight) {
  const double dispersion = dispersion_of(model_);
  const double exposure = dispersion == 1 ? 1 : weight / dispersion;
  const double rows = dispersion == 1 ? weight : 1;
  const double count = std::round(target * exposure);
  constexpr double rounding = 1e-6;
  whole_ = whole_ && std::abs(count - target * exposure) <= rounding * std::max(count, 1.0);
  const auto bin = std::ranges::find_if(graded_.counts, [&](const CountBin& b) { return count <= b.last; });
  if (bin != graded_.counts.end()) bin->observed += rows;
  const LogProbability of = log_probability(model_, prediction * exposure);
  double log_sum = of.none;
  double beyond = 1;
  std::size_t k = 0;
  for (CountBin& at : std::span(graded_.counts).first(graded_.counts.size() - 1)) {
    double probability = 0;
    for (; static_cast<double>(k) <= at.last; ++k) {
      if (k > 0) log_sum += of.step + log_steps_[k - 1];
      probability += std::exp(log_sum);
    }
    at.expected += rows * probability;
    beyond -= probability;
  }
  graded_.counts.back().expected += rows * std::max(beyond, 0.0);
}

Graded Grading::finish() {
  std::erase_if(graded_.tenths, [](const Tenth& tenth) { return !(tenth.weight > 0); });
  if (!whole_) graded_.counts.clear();
  return std::move(graded_);
}

}  // namespace kore::report
