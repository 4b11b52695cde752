#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kore {

/// A named value of a message, as it appears in a sentence: numbers with the fewest digits that name them.
struct Argument {
  std::string name;
  std::string value;

  Argument(std::string_view argument, std::string_view text) : name(argument), value(text) {}
  Argument(std::string_view argument, double number);
  template <class Integer>
  requires std::is_integral_v<Integer> Argument(std::string_view argument, Integer number)
      : name(argument), value(std::to_string(number)) {}
};

/// Something to tell a person, as data: a reason that programs compare, and named arguments. The engine
/// states what is the case. What to do about it differs between a command line, Python and C++, so each of
/// these *fronts* adds advice, or words of its own, by the reason.
class Message {
 public:
  /// `reason` is a short name in snake_case that never changes, such as "unknown_column". In `pattern`,
  /// `{name}` stands for the value of that argument.
  Message(std::string_view reason, std::string_view pattern, std::vector<Argument> arguments = {});

  const std::string& reason() const { return reason_; }
  /// The pattern with its arguments filled in.
  const std::string& sentence() const { return sentence_; }
  const std::vector<Argument>& arguments() const { return arguments_; }
  /// The value of an argument; empty where there is none of that name.
  std::string_view argument(std::string_view name) const;
  /// The arguments of this message in another pattern: how a front words it.
  std::string fill(std::string_view pattern) const;
  /// The same message with further arguments, which a front's patterns may name.
  Message with(const std::vector<Argument>& more) const;

 private:
  std::string reason_;
  std::vector<Argument> arguments_;
  std::string sentence_;
};

}  // namespace kore
