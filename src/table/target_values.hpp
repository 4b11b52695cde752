#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kore/encoding.hpp"
#include "kore/message.hpp"

/// What the values of a target stand for where it is no number: one rule for files and for tables in memory.
namespace kore::table {

/// A class needs rows and a model of its own; a target of more values is most likely not meant as classes.
inline constexpr std::size_t most_classes = 100;

/// The levels of a target as its file writes them: "no" in place of "false".
std::vector<std::string> as_written(std::vector<std::string> levels, const BooleanWords& words);

/// Rising where all values are numbers; the others stay as they are.
void sort_numbers(std::vector<std::string>& values);

/// The classes of a text of these different values, which `rows` rows have. Empty where it may be a number
/// with a few odd values, which are somebody's mistake, and where the values hardly come twice and so name
/// rows.
std::vector<std::string> classes_of_text(std::vector<std::string> values, std::uint64_t rows);

/// Two ways to write no and yes, if these two values are: no first. Others stay in their order.
void put_yes_last(std::vector<std::string>& values);

/// What stands for no and yes where `positive` is the only yes of these values.
std::vector<std::string> levels_of_positive(const std::string& positive,
                                            const std::vector<std::string>& values);

/// A column of yes and no may be read as booleans, whose values are called true and false.
std::string in_words_of(ColumnType type, const std::string& positive);

/// Which of two values counts as yes.
Message yes_or_no_note(const std::string& target, const std::vector<std::string>& levels);

[[noreturn]] void refuse_positive(const std::string& positive, const std::string& target,
                                  const std::string& table);
[[noreturn]] void refuse_classes(const std::string& target, const std::string& table);
/// Offsets that are missing or infinite: what is left of such a target is not known.
[[noreturn]] void refuse_offsets(const std::string& offset, std::uint64_t rows, const std::string& table);
[[noreturn]] void refuse_infinite_target(const std::string& target, const std::string& table);
[[noreturn]] void refuse_zero_exposure(const std::string& exposure, const std::string& table);

}  // namespace kore::table
