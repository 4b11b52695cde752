#include "grow/judgement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace kore {
namespace {

// In standard errors of the difference:
constexpr double standard_errors = 1;    // that the constant must be beaten by
constexpr double richer_errors = 0.25;   // that a richer candidate must be better by
constexpr double without_penalties = 1;  // that a fit without them must be better by
constexpr double other_scale = 0.5;      // that one on another scale than the first must be better by

// A share of the loss that does not decide: equal fits differ by rounding, which depends on the order of
// rows.
constexpr double negligible = 1e-6;
constexpr double small_sample = 6;  // units: a standard error between few of them is itself uncertain

std::vector<double> errors_of(const JudgedRows& rows, std::span<const double> predictions) {
  std::vector<double> errors;
  for (std::size_t r = 0; r < predictions.size(); ++r)
    errors.push_back(std::abs(rows.target[r] - predictions[r]));
  return errors;
}

class Judge {
 public:
  Judge(const CandidatesOnScale& scale, const JudgedRows& rows)
      : rows_(rows), competing_(scale.competing), sizes_(scale.sizes) {
    for (const std::vector<double>& predictions : scale.left_out) losses_.push_back(losses_of(predictions));
  }

  std::vector<double> losses_of(std::span<const double> predictions) const {
    std::vector<double> losses(predictions.size());
    for (std::size_t r = 0; r < losses.size(); ++r)
      if (rows_.weights[r] > 0) losses[r] = rows_.response->loss(rows_.target[r], predictions[r]);
    return losses;
  }

  /// Over all folds but one.
  double mean_loss(std::size_t candidate, std::size_t left_out_fold) const {
    double sum = 0;
    double weight = 0;
    for (std::size_t r = 0; r < rows_.target.size(); ++r) {
      if (rows_.folds[r] == left_out_fold) continue;
      sum += rows_.weights[r] * losses_[candidate][r];
      weight += rows_.weights[r];
    }
    return weight > 0 ? sum / weight : 0;
  }

  Gain gain(std::span<const double> from, std::span<const double> to, std::size_t left_out_fold) const {
    return gain_between(rows_, from, to, left_out_fold);
  }
  std::span<const double> losses(std::size_t candidate) const { return losses_[candidate]; }
  bool competes(std::size_t candidate) const { return competing_[candidate]; }

  /// The best with penalties, or the best without; `candidates().size()` where there is none.
  std::size_t best_of(bool penalised, std::size_t left_out_fold) const {
    const std::span<const Candidate> all = candidates();
    std::size_t best = all.size();
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!competing_[k] || all[k].penalised() != penalised) continue;
      if (best == all.size()) {
        best = k;
        continue;
      }
      const Gain richer = gain(losses_[best], losses_[k], left_out_fold);
      const double least = std::max(best == 0 ? 0.0 : richer_errors * richer.error,
                                    negligible * mean_loss(best, left_out_fold));
      if (richer.mean > least) best = k;
    }
    return best;
  }

  /// The standard error of a mean loss, between units.
  double loss_error(std::size_t candidate, std::size_t left_out_fold) const {
    const std::vector<double> nothing(losses_[candidate].size());
    return gain(losses_[candidate], nothing, left_out_fold).error;
  }

  /// The smallest candidate with penalties within one standard error of the best; of those that differ in
  /// their shrinkage alone, the one with the smallest loss. The constant is not asked again.
  std::size_t simplest_near(std::size_t best, std::size_t left_out_fold) const {
    if (best == 0 || sizes_.empty()) return best;
    const double limit = mean_loss(best, left_out_fold) + loss_error(best, left_out_fold);
    std::size_t simplest = best;
    double loss = mean_loss(best, left_out_fold);
    for (std::size_t k = 1; k < candidates().size(); ++k) {
      if (!competing_[k] || !candidates()[k].penalised()) continue;
      const double own = mean_loss(k, left_out_fold);
      if (own > limit || sizes_[k] > sizes_[simplest] || (sizes_[k] == sizes_[simplest] && own >= loss))
        continue;
      simplest = k;
      loss = own;
    }
    return simplest;
  }

  std::size_t choose(std::size_t left_out_fold) const {
    return simplest_near(choose_best(left_out_fold), left_out_fold);
  }

 private:
  std::size_t choose_best(std::size_t left_out_fold) const {
    std::size_t best = best_of(true, left_out_fold);
    const std::size_t free = best_of(false, left_out_fold);
    if (best == candidates().size()) return free;
    if (free < candidates().size()) {
      const Gain without = gain(losses_[best], losses_[free], left_out_fold);
      if (without.mean > without_penalties * without.error) best = free;
    }
    if (best == 0 || !competing_[0]) return best;
    const Gain over_constant = gain(losses_[0], losses_[best], left_out_fold);
    const double needed = standard_errors * (1 + small_sample / static_cast<double>(over_constant.units));
    return over_constant.mean > needed * over_constant.error ? best : 0;
  }

  const JudgedRows& rows_;
  const std::vector<bool>& competing_;
  std::span<const double> sizes_;
  std::vector<std::vector<double>> losses_;
};

/// A candidate on one of the scales.
struct Choice {
  std::size_t scale = 0;
  std::size_t candidate = 0;
};

Choice choose(const std::vector<Judge>& judges, std::size_t left_out_fold) {
  Choice best{0, judges.front().choose(left_out_fold)};
  for (std::size_t s = 1; s < judges.size(); ++s) {
    const std::size_t other = judges[s].choose(left_out_fold);
    if (other == candidates().size()) continue;
    const Judge& now = judges[best.scale];
    const Gain gain = now.gain(now.losses(best.candidate), judges[s].losses(other), left_out_fold);
    const bool constant = best.scale == 0 && best.candidate == 0;
    const double needed =
        constant ? standard_errors * (1 + small_sample / static_cast<double>(gain.units)) : other_scale;
    if (gain.mean > std::max(needed * gain.error, negligible * now.mean_loss(best.candidate, left_out_fold)))
      best = {s, other};
  }
  return best;
}

}  // namespace

double Gain::signal() const {
  return error > 0 ? mean / error / (1 + small_sample / static_cast<double>(units)) : 0;
}

Gain gain_between(const JudgedRows& rows, std::span<const double> from, std::span<const double> to,
                  std::size_t left_out_fold) {
  std::map<std::uint64_t, std::pair<double, double>> units;  // gain and weight
  double sum = 0;
  double weight = 0;
  for (std::size_t r = 0; r < from.size(); ++r) {
    if (rows.folds[r] == left_out_fold || rows.weights[r] == 0) continue;
    auto& [own, own_weight] = units[rows.units[r]];
    own += rows.weights[r] * (from[r] - to[r]);
    own_weight += rows.weights[r];
    sum += rows.weights[r] * (from[r] - to[r]);
    weight += rows.weights[r];
  }
  if (!(weight > 0)) return {};
  Gain found{sum / weight, 0, units.size()};
  if (units.size() < 2) {  // one unit says nothing about how much they differ
    found.error = std::numeric_limits<double>::infinity();
    return found;
  }
  double squares = 0;
  for (const auto& [unit, own] : units) squares += std::pow(own.first - found.mean * own.second, 2);
  found.error = std::sqrt(squares) / weight;
  return found;
}

Judgement judge(const LeftOut& left_out, const JudgedRows& rows, const std::vector<bool>& competing) {
  const CandidatesOnScale only[]{{left_out, competing}};
  return judge(only, rows);
}

Judgement judge(std::span<const CandidatesOnScale> scales, const JudgedRows& rows) {
  std::vector<Judge> judges;
  for (const CandidatesOnScale& scale : scales) judges.emplace_back(scale, rows);
  const Judge& all = judges.front();
  const Choice chosen = choose(judges, no_fold);
  Judgement result;
  result.scale = chosen.scale;
  result.chosen = chosen.candidate;
  for (std::size_t k = 0; k < candidates().size(); ++k) {
    const Judge& own = judges[k == 0 ? 0 : chosen.scale];
    result.mean_losses.push_back(own.mean_loss(k, no_fold));
    result.loss_errors.push_back(own.competes(k) ? own.loss_error(k, no_fold)
                                                 : std::numeric_limits<double>::quiet_NaN());
  }
  result.predictions.resize(rows.target.size());
  const std::size_t folds = rows.folds.empty() ? 0 : std::ranges::max(rows.folds) + 1;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    // A single fold has no others to choose by.
    const Choice own = folds > 1 ? choose(judges, fold) : chosen;
    const std::size_t on_its_scale = folds > 1 ? judges[chosen.scale].choose(fold) : chosen.candidate;
    result.chosen_without.push_back(on_its_scale);
    const std::vector<double>& predictions = scales[own.scale].left_out[own.candidate];
    for (std::size_t r = 0; r < result.predictions.size(); ++r)
      if (rows.folds[r] == fold) result.predictions[r] = predictions[r];
  }
  const std::vector<double>& constant = scales.front().left_out.front();
  const Gain losses = all.gain(all.losses_of(constant), all.losses_of(result.predictions), no_fold);
  const Gain errors = all.gain(errors_of(rows, constant), errors_of(rows, result.predictions), no_fold);
  result.signal = std::max(losses.signal(), errors.signal());
  return result;
}

}  // namespace kore
