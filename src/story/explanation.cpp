#include "story/explanation.hpp"

#include <algorithm>

#include "story/effect_grid.hpp"

namespace kore::story {

std::vector<std::string> explanation_columns(const Decomposition& shown) {
  std::vector<std::string> names{"prediction", "sum", "constant"};
  for (std::size_t t = 0; t < shown.terms.size(); ++t) {
    std::string name = "effect of " + term_name(shown, t);
    while (std::ranges::find(names, name) != names.end()) name += " (2)";
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<double> column_shares(const table::TableModel& fitted, const Decomposition& shown) {
  std::vector<double> shares(fitted.encoding.columns.size());
  for (std::size_t t = 0; t < shown.terms.size(); ++t)
    for (const std::size_t j : shown.terms[t].features)
      shares[fitted.encoding.features[j].column] +=
          shown.effects[t].covariance_share / static_cast<double>(shown.terms[t].order());
  return shares;
}

}  // namespace kore::story
