#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kore/encoding.hpp"

/// Pieces of SQL as texts.
namespace kore::duckdb {

/// A text in single quotes, with those inside it doubled.
std::string sql_literal(std::string_view text);

/// Such texts with commas between them.
std::string sql_list(std::span<const std::string_view> texts);
std::string sql_list(const std::vector<std::string>& texts);

/// A name as SQL wants it: in double quotes, with those inside it doubled.
std::string as_sql(std::string_view name);

/// What makes numbers of a column of texts with decimal commas; and of one with other signs among the digits.
std::string without_commas(std::string_view column);
std::string without_signs(std::string_view column);

/// The name of one file, escaped for functions that take patterns, so that it matches no other file.
std::string sql_file(std::string_view path);

/// ['a', 'b'], of such names.
std::string sql_files(const std::vector<std::string>& paths);

/// The type of a column by DuckDB's name for it; nothing if its values are neither numbers nor texts (lists,
/// structs, blobs).
std::optional<table::ColumnType> column_type(std::string_view sql_type);

/// A DOUBLE for each row: numbers as they are, booleans as 0 and 1, dates and times in days; NULL where the
/// value is missing or NaN. A text column is read as `wanted`, with markers such as "NA" as missing values.
std::string number_expression(std::string_view name, std::string_view sql_type, table::ColumnType wanted);
/// The same, but NaN stays NaN, for readers that treat it as missing.
std::string number_or_nan_expression(std::string_view name, std::string_view sql_type,
                                     table::ColumnType wanted);

/// The same for a text column whose texts may not be of that type: NULL for those that are not.
std::string try_number_expression(std::string_view name, table::ColumnType wanted);

/// The texts of a column without spaces around them; NULL for those that stand for a missing number ("NA",
/// "?", ...).
std::string unmarked_text(std::string_view name);

/// A VARCHAR for each row. Numbers are written without needless digits, so that 1, 1.0 and 1.00 are the same
/// level.
std::string text_expression(std::string_view name, std::string_view sql_type);

}  // namespace kore::duckdb
