#include "story/cost.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "story/text.hpp"

namespace kore::story {
namespace {

using Rows = std::vector<std::vector<std::string>>;

void add_rows(const std::vector<Phase>& phases, double all, const std::string& indent, Rows& rows) {
  for (const Phase& phase : phases) {
    rows.push_back({indent + phase.name, grouped(phase.times), fmt::format("{:.4f}", phase.seconds),
                    all > 0 ? percent(phase.seconds / all) : ""});
    add_rows(phase.parts, all, indent + "  ", rows);
  }
}

double seconds_of(const std::vector<Phase>& phases) {
  double seconds = 0;
  for (const Phase& phase : phases) seconds += phase.seconds;
  return seconds;
}

}  // namespace

std::string cost_line(const table::TableModel& fitted) {
  constexpr std::size_t most = 3;
  constexpr double worth_naming = 0.1;
  const table::FitFacts& facts = fitted.facts;
  std::string line = fmt::format("{:<11} {}; {}", "Cost", duration(facts.seconds),
                                 counted(static_cast<std::uint64_t>(fitted.model.summary.fits), "fit"));
  std::vector<Phase> longest = facts.phases;
  std::ranges::stable_sort(longest, std::ranges::greater{}, &Phase::seconds);
  if (longest.size() > most) longest.resize(most);
  std::erase_if(longest, [&](const Phase& phase) { return phase.seconds < worth_naming * facts.seconds; });
  for (std::size_t i = 0; i < longest.size(); ++i)
    line += fmt::format("{} {} {:.0f} %", i == 0 ? "; most of it" : ",", longest[i].name,
                        100 * longest[i].seconds / facts.seconds);
  return line;
}

std::string phases_table(const table::FitFacts& facts) {
  if (facts.phases.empty()) return "";
  Rows rows{{"  phase", "times", "seconds", "share"}};
  add_rows(facts.phases, facts.seconds, "  ", rows);
  const double rest = std::max(facts.seconds - seconds_of(facts.phases), 0.0);
  rows.push_back({"  everything else", "", fmt::format("{:.4f}", rest),
                  facts.seconds > 0 ? percent(rest / facts.seconds) : ""});
  return aligned(rows);
}

Json phases_json(const std::vector<Phase>& phases) {
  Json list = Json::array();
  for (const Phase& phase : phases)
    list.push_back({{"name", phase.name},
                    {"times", phase.times},
                    {"seconds", number(phase.seconds)},
                    {"parts", phases_json(phase.parts)}});
  return list;
}

}  // namespace kore::story
