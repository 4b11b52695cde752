#include "story/convergence.hpp"

#include <fmt/format.h>

#include "story/text.hpp"

namespace kore::story {

std::vector<std::string> convergence_notes(const FitSummary& summary) {
  if (!summary.convergence) return {};
  const Convergence& convergence = *summary.convergence;
  std::vector<std::string> notes;
  if (!convergence.settled)
    notes.push_back(
        fmt::format("The penalty weights did not settle after {}, so that more steps would change the model.",
                    counted(static_cast<std::uint64_t>(convergence.steps), "step")));
  if (convergence.raised_ridge > 0)
    notes.push_back(fmt::format(
        "The ridge had to be raised to {}{}, because columns depend on each other nearly exactly.",
        short_number(convergence.raised_ridge), summary.relative_ridge ? " of the mean diagonal entry" : ""));
  else if (convergence.raised_weight_ridge > 0)
    notes.push_back(fmt::format(
        "To solve for the penalty weights, {} of the mean diagonal entry had to be added to the diagonal, "
        "because columns depend on each other nearly exactly.",
        short_number(convergence.raised_weight_ridge)));
  if (convergence.unsettled_rivals > 0)
    notes.push_back(
        fmt::format("The penalty weights of {} in the choice did not settle.",
                    counted(static_cast<std::uint64_t>(convergence.unsettled_rivals), "other model")));
  return notes;
}

}  // namespace kore::story
