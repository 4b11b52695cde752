#pragma once

#include <array>
#include <optional>
#include <string_view>

/// Which texts are numbers, yes or no, or missing values: one rule for every front. Tables in memory use
/// these functions. The SQL that reads files is made from the same lists and casts texts to numbers as
/// `read_number` does; a test compares both.
namespace kore::table {

/// Markers of a missing number, in lower case. They count only in columns of numbers: in a category each may
/// be a level.
inline constexpr std::array<std::string_view, 9> missing_markers{"",     "na", "n/a", "nan", "null",
                                                                 "none", ".",  "?",   "-"};

/// Yes and no, in lower case; the two words of a pair have the same position in both lists.
inline constexpr std::array<std::string_view, 5> yes_words{"true", "t", "yes", "y", "1"};
inline constexpr std::array<std::string_view, 5> no_words{"false", "f", "no", "n", "0"};

/// A number that begins like this is a code: "007" is not "7". A regular expression for texts without spaces
/// around them.
inline constexpr std::string_view code_pattern = "^[+-]?0[0-9]";

/// The text without spaces around it: every space of Unicode, but neither tabs nor line breaks.
std::string_view without_spaces(std::string_view text);

bool marks_missing(std::string_view text);
std::optional<double> parse_boolean(std::string_view text);

/// The number that a text as a whole stands for, as DuckDB reads it: white space around it and single
/// underscores between digits aside, with infinity and NaN by name, and infinite where it is too large.
std::optional<double> read_number(std::string_view text);
/// The same where it is finite.
std::optional<double> parse_number(std::string_view text);

/// The text begins like `code_pattern`.
bool is_code(std::string_view text);

/// A formatted number, which is a number without its signs: "37%", "12,345", "$9.50", "€9.50".
bool is_formatted_number(std::string_view text);

/// A number with a decimal comma: "0,25", "1.000,25". With three digits after the comma it may be a number of
/// thousands, unless points separate the thousands.
bool has_decimal_comma(std::string_view text);

}  // namespace kore::table
