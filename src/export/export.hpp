#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "export/portable.hpp"

/// Writers of a model in other languages (docs/export.md). Each gives the predictions of `kore predict`, to
/// rounding. Where that refuses a row (a value that is not finite, a prediction that is not, a value outside
/// the training range of a model that forbids it), an export has no prediction: NULL, NaN or null.
namespace kore::portable {

/// Raised by every change that would make a reader of the JSON predict wrongly. A model that a reader of an
/// earlier version can read has that version.
inline constexpr int json_version = 3;

/// The form itself. Only members are ever added to a version.
std::string to_json(const Portable& model);

enum class SqlDialect { duckdb, postgres, sqlite, spark };
/// "duckdb", "postgres", "sqlite" or "spark".
std::string_view word_for(SqlDialect dialect);
/// Throws `invalid_argument` for another word.
SqlDialect dialect_named(std::string_view word);

struct SqlOptions {
  SqlDialect dialect = SqlDialect::duckdb;
  std::string table = "input";         ///< The name of the table; points separate it from its schema.
  std::vector<std::string> keep = {};  ///< Columns of the table to repeat in the result.
};
/// One SELECT whose result has the kept columns and `prediction`. All names and texts are quoted. Throws
/// `invalid_argument` for a name that the language cannot write, or one that is taken.
std::string to_sql(const Portable& model, const SqlOptions& options = {});

/// One file of C99 that needs no library, allocates nothing and keeps no state. `name` begins the names of
/// its struct and functions. Throws `invalid_argument` where that is no identifier.
std::string to_c(const Portable& model, std::string_view name = "kore_model");

/// What the inputs and the output of an ONNX graph are. It computes in double precision in both cases; single
/// precision is for those who have nothing else, and rounds what goes in and comes out.
enum class OnnxNumbers { real, single };
/// The bytes of an ONNX file: a graph of standard operators.
std::string to_onnx(const Portable& model, OnnxNumbers numbers = OnnxNumbers::real);

}  // namespace kore::portable
