#include "kore/column_choice.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>
#include <utility>

#include "kore/error.hpp"

namespace kore::table {
namespace {

[[noreturn]] void refuse(std::string_view reason, std::string_view pattern, std::vector<Argument> arguments) {
  throw Error(ErrorCode::invalid_argument, reason, pattern, std::move(arguments));
}

[[noreturn]] void refuse_two_roles(std::string_view column, std::string_view role, std::string_view other) {
  refuse("column_with_two_roles", "Column '{column}' cannot be {role} and {other} at once.",
         {{"column", column}, {"role", role}, {"other", other}});
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// The least number of insertions, deletions, replacements and swaps of neighbours that turn one text into
/// the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_back;
  std::vector<std::size_t> previous(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> current(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], two_back[j - 2] + 1);
    }
    two_back = std::exchange(previous, std::move(current));
  }
  return previous.back();
}

std::string listed(std::span<const std::string> names) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > most ? text + ", ..." : text;
}

/// The role of each column, so that none can have two.
class Parts {
 public:
  Parts(std::span<const std::string> names, const std::string& table)
      : names_(names), table_(table), parts_(names.size()) {}

  std::size_t assign(const std::string& name, const std::string& part) {
    const std::size_t column = find_column(names_, name, table_);
    if (!parts_[column].empty() && parts_[column] != part) refuse_two_roles(name, parts_[column], part);
    parts_[column] = part;
    return column;
  }
  const std::string& of(std::size_t column) const { return parts_[column]; }

 private:
  std::span<const std::string> names_;
  const std::string& table_;
  std::vector<std::string> parts_;
};

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  const std::string wanted = lowered(name);
  std::string nearest;
  // Up to a third of the letters, and at least one, may be wrong.
  std::size_t best = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::string other = lowered(candidate);
    std::size_t distance = edit_distance(wanted, other);
    // The beginning of a long name counts as nearly right.
    if (wanted.size() >= 3 && other.starts_with(wanted)) distance = std::min<std::size_t>(distance, 1);
    const bool keeps_a_letter = distance < std::max(wanted.size(), other.size());
    if (distance < best && keeps_a_letter) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::size_t find_column(std::span<const std::string> names, std::string_view name, const std::string& table) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string nearest = nearest_name(name, names);
  refuse("unknown_column",
         nearest.empty() ? "There is no column '{column}' in {table}. Its columns are: {columns}."
                         : "There is no column '{column}' in {table}. Did you mean '{nearest}'?",
         {{"column", name}, {"table", table}, {"columns", listed(names)}, {"nearest", nearest}});
}

ChosenColumns choose_columns(std::span<const std::string> names, const ColumnChoice& choice,
                             const std::string& table) {
  if (choice.target.empty())
    refuse("no_target", "No target is given: say which column of {table} to predict.", {{"table", table}});
  Parts parts(names, table);
  ChosenColumns chosen;
  chosen.target = parts.assign(choice.target, "the target");
  if (!choice.weights.empty() && !choice.precision.empty())
    refuse("weights_and_precision",
           "Rows have weights or precisions, not both: weights such as '{weights}' count rows, and of "
           "precisions "
           "such as '{precision}' only the ratios matter.",
           {{"weights", choice.weights}, {"precision", choice.precision}});
  if (!choice.weights.empty()) chosen.weights = parts.assign(choice.weights, "the weights");
  if (!choice.precision.empty()) chosen.weights = parts.assign(choice.precision, "the precision");
  if (!choice.exposure.empty()) {
    if (chosen.weights)
      refuse("weights_and_exposure",
             "Rows have weights or exposures, not both: they count as much as their exposure '{exposure}'.",
             {{"exposure", choice.exposure}});
    chosen.weights = parts.assign(choice.exposure, "the exposure");
  }
  if (!choice.offset.empty()) {
    chosen.offset = parts.assign(choice.offset, "the offset");
    const bool exposure = choice.offset_use == OffsetUse::exposure;
    if (!choice.exposure.empty() || (exposure && chosen.weights))
      refuse("offset_and_exposure",
             choice.exposure.empty()
                 ? "Rows have weights or an offset in this family, not both: they count as much as their "
                   "exposure, exp('{offset}')."
                 : "Rows have an offset or an exposure, not both: an offset is the logarithm of an exposure.",
             {{"offset", choice.offset}});
    if (exposure) chosen.weights = chosen.offset;
  }
  if (!choice.group.empty()) chosen.group = parts.assign(choice.group, "the group");
  for (const std::string& name : choice.drop) parts.assign(name, "left out");
  for (const std::string& name : choice.features) parts.assign(name, "a feature");
  std::vector<bool> categorical(names.size());
  for (const std::string& name : choice.categorical) {
    const std::size_t column = find_column(names, name, table);
    const std::string& part = parts.of(column);
    if (!part.empty() && part != "a feature" && part != "left out")
      refuse_two_roles(name, part, "a category");
    categorical[column] = true;
  }
  for (std::size_t column = 0; column < names.size(); ++column) {
    const bool wanted = choice.features.empty() ? parts.of(column).empty() : parts.of(column) == "a feature";
    if (!wanted) continue;
    chosen.features.push_back(column);
    chosen.categorical.push_back(categorical[column]);
  }
  if (chosen.features.empty())
    refuse("no_feature_left", "No column of {table} is left to be a feature beside the target '{target}'.",
           {{"table", table}, {"target", choice.target}});
  return chosen;
}

}  // namespace kore::table
