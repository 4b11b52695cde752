#include "data/csv_relation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/csv_header.hpp"
#include "data/duck/sql.hpp"
#include "kore/error.hpp"

namespace kore::data {
namespace {

/// Rows that column types are guessed from before the file is read.
constexpr int sampled_rows = 204'800;

/// The first line as it is: read as a table of one column, with a delimiter that no text contains. Not
/// strictly, because without quotes the line ends inside of them may be of another kind.
std::string header_line(const Database& database, const std::string& file) {
  Stream lines = database.stream(fmt::format(
      "SELECT line FROM read_csv({}, auto_detect=false, header=false, delim='\\x01', quote='', escape='', "
      "strict_mode=false, columns={{'line': 'VARCHAR'}}) LIMIT 1",
      sql_literal(file)));
  const auto chunk = lines.next();
  if (!chunk || chunk->text(0, 0).empty())
    throw Error(ErrorCode::invalid_data, fmt::format("The file '{}' is empty.", file));
  return chunk->text(0, 0);
}

}  // namespace

CsvRelation::CsvRelation(const Database& database, const Origin& origin, std::vector<std::string> files)
    : database_(database), files_(std::move(files)) {
  for (const std::string& file : files_) {
    const std::string header = header_line(database, file);
    const char delimiter = origin.format == TableFormat::tsv ? '\t' : guess_delimiter(header);
    std::vector<std::string> names = split_header(header, delimiter);
    if (is_all_numbers(names))
      throw Error(ErrorCode::invalid_data,
                  fmt::format("The first line of the file '{0}' holds numbers instead of column names. Add a "
                              "line of names, or "
                              "read it by a query: \"FROM read_csv('{0}', header=false)\".",
                              file));
    if (names_.empty()) {
      names_ = std::move(names);
      delimiter_ = delimiter;
    } else if (names != names_ || delimiter != delimiter_) {
      throw Error(
          ErrorCode::invalid_data,
          fmt::format("The header of the file '{}' differs from that of '{}'.", file, files_.front()));
    }
  }
}

void CsvRelation::read_as_text(const std::vector<std::string>& columns) {
  for (const std::string& name : names_)
    if (std::find(columns.begin(), columns.end(), name) != columns.end()) text_columns_.push_back(name);
}

std::string CsvRelation::read_csv(const std::string& more) const {
  return fmt::format(
      "read_csv({}, header=true, skip=0, delim={}, quote='\"', escape='\"', nullstr='', strict_mode=true, "
      "{})",
      sql_list(files_), sql_literal(std::string_view(&delimiter_, 1)), more);
}

std::string CsvRelation::relation(Sample sample) const {
  std::string types;
  for (const std::string& column : text_columns_)
    types += fmt::format("{}{}: 'VARCHAR'", types.empty() ? "" : ", ", sql_literal(column));
  std::string more =
      fmt::format("comment='', sample_size={}", sample == Sample::everything ? -1 : sampled_rows);
  if (!types.empty()) more += fmt::format(", types={{{}}}", types);
  const std::string relation = read_csv(more);
  try {
    database_.run("DESCRIBE FROM " + relation);
  } catch (const SqlError&) {
    // DuckDB's detection only says that nothing fits. Reading with the layout of the header says which line
    // is at fault.
    std::string columns;
    for (std::size_t c = 0; c < names_.size(); ++c)
      columns += fmt::format("{}'c{}': 'VARCHAR'", c == 0 ? "" : ", ", c);
    database_.run(fmt::format("SELECT count(COLUMNS(*)) FROM {}",
                              read_csv(fmt::format("auto_detect=false, columns={{{}}}", columns))));
    throw;
  }
  return relation;
}

}  // namespace kore::data
