#include "story/columns_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "story/text.hpp"

namespace kore::story {

std::string columns_words(const table::Encoding& encoding) {
  constexpr std::size_t most_names = 3;
  std::vector<std::string> flagged;
  std::size_t indicators = 0;
  for (const table::EncodedFeature& feature : encoding.features) {
    if (feature.kind == table::EncodedKind::missing_flag)
      flagged.push_back(encoding.columns[feature.column].name);
    if (feature.kind == table::EncodedKind::indicator) ++indicators;
  }
  std::string text = fmt::format("{} as {}", counted(encoding.columns.size(), "column"),
                                 counted(encoding.features.size(), "feature"));
  std::vector<std::string> reasons;
  if (!flagged.empty())
    reasons.push_back(fmt::format("{} more {} rows without {}", grouped(flagged.size()),
                                  flagged.size() == 1 ? "flags" : "flag", some_names(flagged, most_names)));
  if (indicators > 0)
    reasons.push_back(fmt::format("{} for single levels of categories", grouped(indicators)));
  if (reasons.empty()) return text;
  return fmt::format("{} ({})", text, fmt::join(reasons, ", "));
}

}  // namespace kore::story
