#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <kore/kore.hpp>
#include <numeric>
#include <string>
#include <vector>

// Prints a summary of a fit from the model alone.

inline std::string term_name(const kore::Model& model, const kore::Term& term) {
  std::string name;
  for (const std::size_t feature : term.features)
    name += (name.empty() ? "" : " x ") + model.design.features()[feature].name;
  return name;
}

inline void print_selection(kore::Structure structure, const kore::Selection& selection) {
  std::printf("  %s: ", kore::to_string(structure));
  if (selection.skipped) {
    std::printf("skipped, because it has too many columns for the rows\n");
    return;
  }
  std::printf("pilots G =");
  for (const int pilot : selection.pilots) std::printf(" %d", pilot);
  if (selection.law.usable())
    std::printf(" -> A = %.3g, tau = %.3g -> solved G = %.2f", selection.law.bias_scale,
                selection.law.variance_scale, selection.plug_in);
  std::printf(", kept %d: leave-one-out RMSE %.4f\n", selection.resolution, std::sqrt(selection.loo));
}

inline void print_effects(const kore::Model& model) {
  std::vector<std::size_t> order(model.effects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t t) { return model.effects[t].share; });
  std::printf("  effects and their share of the fitted variance:\n");
  for (const std::size_t t : order) {
    const double percent = 100 * model.effects[t].share;
    if (percent < 0.1) {
      std::printf("    all others               below 0.1 %% each\n");
      break;
    }
    std::printf("    %-24s %5.1f %%\n", term_name(model, model.design.terms()[t]).c_str(), percent);
  }
}

inline void print_summary(const std::string& title, const kore::Model& model) {
  const kore::FitSummary& summary = model.summary;
  std::printf("\n%s\n", title.c_str());
  std::printf("  %s structure at resolution %d: leave-one-out RMSE %.4f, R2 %.4f\n",
              kore::to_string(summary.structure), summary.resolution, std::sqrt(summary.loo),
              summary.loo_r2());
  if (summary.additive) print_selection(kore::Structure::additive, *summary.additive);
  if (summary.pairwise) print_selection(kore::Structure::pairwise, *summary.pairwise);
  // The paper's grids: 20 additive and 10 pairwise resolutions in 3 folds, and a refit of the winner.
  std::printf("  %d fits, where 3-fold cross-validation over the paper's grids needs 91\n", summary.fits);
  print_effects(model);
}
