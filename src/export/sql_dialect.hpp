#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "export/export.hpp"

/// Pieces of SQL that dialects write differently.
namespace kore::portable {

class Dialect {
 public:
  explicit Dialect(SqlDialect of) : of_(of) {}

  SqlDialect of() const { return of_; }
  /// A double with all its digits.
  std::string number(double value) const;
  /// A quoted name. Throws `invalid_argument` for an empty one and one with a zero byte.
  std::string name(std::string_view text) const;
  /// A quoted text; empty where the database cannot hold this text, so that no value equals it.
  std::string text(std::string_view text) const;
  std::string as_double(const std::string& value) const;
  std::string as_text(const std::string& value) const;
  std::string greatest(const std::vector<std::string>& values) const;
  /// The largest whole number up to a value that is not negative.
  std::string floor(const std::string& value) const;
  /// The same of any value.
  std::string floor_of_any(const std::string& value) const;
  /// A column as a double, NULL where it is missing: a NaN is, too.
  std::string read_number(const std::string& column, InputKind kind) const;
  /// What keeps a step from being merged with the next one, which would repeat its expressions: after AS, and
  /// at the end of the step.
  std::string_view fence_before() const { return of_ == SqlDialect::sqlite ? "MATERIALIZED " : ""; }
  std::string_view fence_after() const { return of_ == SqlDialect::postgres ? " OFFSET 0" : ""; }

 private:
  std::string days(const std::string& column, InputKind kind) const;

  SqlDialect of_;
};

/// The parts with an operator between them, in parentheses that keep the expression shallow: databases limit
/// the depth of expressions.
std::string joined(const std::vector<std::string>& parts, std::string_view with);

}  // namespace kore::portable
