#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kore/options.hpp"

namespace kore {

enum class OptionType { integer, number, flag, choice, list, function };
enum class OptionOwner { every_method, default_method, published_method };

/// The value of an option: as a sentence shows it, and as a number where it is one.
struct OptionValue {
  std::string text;
  double number = 0;
};

/// A description of an option, as data. `Options::check`, the help of the command, the checks of Python and
/// `docs/options.md` all read it here.
struct OptionRecord {
  std::string_view name;  ///< As in `Options` or the struct of its method.
  OptionType type = OptionType::integer;
  OptionOwner owner = OptionOwner::every_method;
  /// Of integers and numbers.
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool ends_excluded = false;
  std::vector<std::string_view> choices;  ///< In the order of the enumeration.
  std::string_view sentence;              ///< What it does.
  std::string_view flag;                  ///< Of the command, where it has one.
  std::string_view python;                ///< Parameter of `KORERegressor`, where it has one.
  /// The value in the given options; nothing where they hold the other method.
  std::optional<OptionValue> (*value)(const Options& options) = nullptr;
};

std::span<const OptionRecord> option_records();
/// The record of an option that exists.
const OptionRecord& option_record(std::string_view name);

/// Whether a number lies in the range of an integer or number.
bool in_range(const OptionRecord& record, double number);
/// "integer", "number", "flag", "choice", "list" or "function".
std::string_view type_word(OptionType type);
/// What an option may be, as it stands in "it must be ...".
std::string allowed_values(const OptionRecord& record);

/// `docs/options.md`: every option with its type, range, defaults, and names in the command and in Python.
std::string options_page();

}  // namespace kore
