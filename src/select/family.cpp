#include "select/family.hpp"

#include <algorithm>
#include <limits>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "pass/gram_passes.hpp"
#include "pass/press_passes.hpp"
#include "pass/refine.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

Design FamilyFits::design(int resolution) const {
  if (settings_.structure == Structure::additive)
    return Design::additive(settings_.features, resolution, settings_.degree,
                            settings_.additive_parametrisation);
  return Design::pairwise(settings_.features, settings_.pairs, resolution, settings_.degree);
}

std::vector<FamilyFits::Attempt> FamilyFits::solve(std::span<const int> resolutions, bool leverages) const {
  std::vector<Design> designs;
  for (const int g : resolutions) designs.push_back(design(g));
  GramPass pass(std::move(designs));
  source_.run(pass, settings_.threads);
  std::vector<GramAccumulator> grams = std::move(pass).take();
  SmootherOptions options;
  options.ridge = settings_.ridge;
  options.relative_ridge = settings_.relative_ridge;
  options.leverages = leverages;
  options.inverse_limit = settings_.inverse_limit;
  options.threads = settings_.threads;
  std::vector<Attempt> attempts(resolutions.size());
  for (std::size_t i = 0; i < resolutions.size(); ++i) {
    try {
      Smoother smoother(grams[i], options);
      attempts[i].fit = Fitted{resolutions[i], std::move(grams[i]), std::move(smoother), {}, {}};
    } catch (const NotPositiveDefinite&) {
      attempts[i].failure = std::current_exception();
    }
  }
  std::vector<Smoother*> smoothers;
  for (Attempt& attempt : attempts)
    if (attempt.fit) smoothers.push_back(&attempt.fit->smoother);
  refine(smoothers, source_, settings_.threads);
  return attempts;
}

void FamilyFits::add_up_residuals(std::span<Attempt> attempts) const {
  std::vector<const Smoother*> smoothers;
  for (const Attempt& attempt : attempts)
    if (attempt.fit) smoothers.push_back(&attempt.fit->smoother);
  if (smoothers.empty()) return;
  PressPass pass(smoothers, settings_.residual_step);
  source_.run(pass, settings_.threads);
  std::size_t next = 0;
  for (Attempt& attempt : attempts) {
    if (!attempt.fit) continue;
    attempt.fit->press = pass.sums()[next];
    attempt.fit->residuals = std::move(pass.residuals()[next]);
    ++next;
  }
}

// Small fits have too little work in each step for several threads.
bool FamilyFits::side_by_side(std::span<const int> resolutions) const {
  constexpr std::size_t few_rows = 10'000;
  return source_.in_memory() && resolutions.size() > 1 && settings_.threads > 1 &&
         settings_.rows < few_rows && std::ranges::all_of(resolutions, [this](int g) {
           return design(g).columns() < columns_worth_threads;
         });
}

std::vector<FamilyFits::Attempt> FamilyFits::attempt(std::span<const int> resolutions, bool leverages) const {
  if (!side_by_side(resolutions)) {
    std::vector<Attempt> attempts = solve(resolutions, leverages);
    add_up_residuals(attempts);
    return attempts;
  }
  FamilySettings alone = settings_;
  alone.threads = 1;
  const FamilyFits fits(source_, std::move(alone));
  std::vector<Attempt> attempts(resolutions.size());
  parallel_for(resolutions.size(), settings_.threads, [&](std::size_t i) {
    attempts[i] = std::move(fits.attempt(resolutions.subspan(i, 1), leverages).front());
  });
  return attempts;
}

// How many of the first resolutions are fitted together. Reading memory again is free, so rows in memory are
// fitted one resolution at a time, which keeps the working memory small.
std::size_t FamilyFits::share_a_pass(std::span<const int> resolutions) const {
  if (side_by_side(resolutions)) return resolutions.size();
  if (source_.in_memory()) return 1;
  std::size_t count = 0;
  double bytes = 0;
  for (const int g : resolutions) {
    const double columns = size()(g);
    bytes += shared_fit_bytes_per_squared_column * columns * columns;
    if (count > 0 && bytes > static_cast<double>(settings_.memory_budget)) break;
    ++count;
  }
  return count;
}

std::vector<FitScore> FamilyFits::score(std::span<const int> resolutions, bool leverages) {
  std::vector<FitScore> scores;
  while (scores.size() < resolutions.size()) {
    const auto rest = resolutions.subspan(scores.size());
    const auto group = rest.first(share_a_pass(rest));
    std::vector<Attempt> attempts = attempt(group, leverages);
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (!attempts[i].fit) {
        scores.push_back({design(group[i]).columns(), infinity, infinity, 1.0});
        continue;
      }
      Fitted& fit = *attempts[i].fit;
      const double loo = leverages ? fit.press.loo() : std::numeric_limits<double>::quiet_NaN();
      scores.push_back({fit.smoother.design().columns(), loo, fit.press.loss, fit.press.max_leverage});
      if (settings_.progress) settings_.progress({settings_.structure, group[i], scores.back()});
      if (leverages && (!best_ || loo < best_->press.loo())) best_ = std::make_unique<Fitted>(std::move(fit));
    }
  }
  return scores;
}

std::vector<FitScore> FamilyFits::measure(std::span<const int> resolutions) {
  return score(resolutions, true);
}

std::vector<FitScore> FamilyFits::measure_rss(std::span<const int> resolutions) {
  return score(resolutions, false);
}

Fitted FamilyFits::take(int resolution) {
  if (best_ && best_->resolution == resolution) {
    Fitted kept = std::move(*best_);
    best_.reset();
    return kept;
  }
  return fit_one(resolution, true);
}

Fitted FamilyFits::take_without_leverages(int resolution) const { return fit_one(resolution, false); }

Fitted FamilyFits::fit_one(int resolution, bool leverages) const {
  std::vector<Attempt> attempts = solve(std::span<const int>(&resolution, 1), leverages);
  if (attempts[0].failure) std::rethrow_exception(attempts[0].failure);
  if (leverages) add_up_residuals(attempts);
  return std::move(*attempts[0].fit);
}

ResolutionCurve FamilyFits::curve(double n) {
  return {size(), n, [this](std::span<const int> resolutions) { return measure(resolutions); }};
}

}  // namespace kore
