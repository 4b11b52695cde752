#pragma once

#include <array>
#include <optional>
#include <string_view>

/// What a text stands for where a number, a yes or no, or nothing is meant: the one rule for every front.
/// Tables in memory use the functions; the SQL that reads files is made from the same lists, and casts texts
/// to numbers as `read_number` does (a test holds both to each other).
namespace kore::table {

/// What people and programs write where they have no number, in lower case. Only looked for where numbers are
/// wanted: in a category, each may be a level.
inline constexpr std::array<std::string_view, 9> missing_markers{"",     "na", "n/a", "nan", "null",
                                                                 "none", ".",  "?",   "-"};

/// Yes and no, in lower case; the two of one way to write them have the same place.
inline constexpr std::array<std::string_view, 5> yes_words{"true", "t", "yes", "y", "1"};
inline constexpr std::array<std::string_view, 5> no_words{"false", "f", "no", "n", "0"};

/// A number that begins like this is a code: "007" is not "7". A regular expression for texts without spaces
/// around them.
inline constexpr std::string_view code_pattern = "^[+-]?0[0-9]";

/// Without the spaces around a text: every space of Unicode, but neither tabs nor line ends.
std::string_view without_spaces(std::string_view text);

bool marks_missing(std::string_view text);
std::optional<double> parse_boolean(std::string_view text);

/// The number that a text as a whole stands for, as DuckDB reads it: white space around it and single
/// underscores between digits aside, with infinity and NaN by name, and infinite where it is too large.
std::optional<double> read_number(std::string_view text);
/// The same where it is finite.
std::optional<double> parse_number(std::string_view text);

/// Begins as `code_pattern` says.
bool is_code(std::string_view text);

/// Not a number, but one without the signs that people add: "37%", "12,345", "$9.50", "€9.50".
bool is_formatted_number(std::string_view text);

/// A number with a comma for its decimal point: "0,25", "1.000,25". One with three digits behind it may be a
/// thousand, unless points are between those.
bool has_decimal_comma(std::string_view text);

}  // namespace kore::table
