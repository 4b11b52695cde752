#include "duckdb/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "base/atomic_file.hpp"
#include "duckdb/csv_header.hpp"
#include "duckdb/database.hpp"
#include "duckdb/kept_rows.hpp"
#include "duckdb/sql.hpp"
#include "duckdb/standard_output.hpp"
#include "kore/error.hpp"

namespace kore::duckdb {
namespace {

/// The options of DuckDB's COPY for a file of that name.
std::string copy_options(const std::string& file) {
  if (file == "-") return "FORMAT csv, HEADER true";
  const bool gz = file.ends_with(".gz");
  const std::string bare = gz ? file.substr(0, file.size() - 3) : file;
  const std::string compression = gz ? ", COMPRESSION gzip" : "";
  if (bare.ends_with(".csv")) return "FORMAT csv, HEADER true, USE_TMP_FILE false" + compression;
  if (bare.ends_with(".tsv"))
    return "FORMAT csv, HEADER true, DELIMITER '\t', USE_TMP_FILE false" + compression;
  if (bare.ends_with(".parquet") && !gz) return "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false";
  throw Error(ErrorCode::invalid_argument, "unknown_output_ending",
              "The ending of '{file}' does not tell how to write it. Use .csv, .csv.gz, .tsv or .parquet.",
              {{"file", file}});
}

/// Appends rows to a table of DuckDB.
class Appender {
 public:
  Appender(duckdb_connection connection, const std::string& table) {
    if (duckdb_appender_create(connection, nullptr, table.c_str(), &handle_) != DuckDBSuccess) fail();
  }
  ~Appender() { duckdb_appender_destroy(&handle_); }
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;

  void append(const Chunk& chunk) {
    if (duckdb_append_data_chunk(handle_, chunk.handle()) != DuckDBSuccess) fail();
  }
  void close() {
    if (duckdb_appender_close(handle_) != DuckDBSuccess) fail();
  }

 private:
  [[noreturn]] void fail() const { throw SqlError(duckdb_appender_error(handle_)); }
  duckdb_appender handle_ = nullptr;
};

/// The types of a chunk to build.
class LogicalTypes {
 public:
  ~LogicalTypes() {
    for (duckdb_logical_type& type : types_) duckdb_destroy_logical_type(&type);
  }
  LogicalTypes() = default;
  LogicalTypes(const LogicalTypes&) = delete;
  LogicalTypes& operator=(const LogicalTypes&) = delete;
  void add(duckdb_logical_type type) { types_.push_back(type); }
  Chunk new_chunk() { return Chunk(duckdb_create_data_chunk(types_.data(), types_.size())); }

 private:
  std::vector<duckdb_logical_type> types_;
};

}  // namespace

/// The rows are gathered in a table of DuckDB, which spills to disk when it grows beyond the memory limit,
/// and copied to the file at the end: Parquet files and compressed ones cannot be written row by row.
class Writer::Output {
 public:
  Output(std::string file, std::vector<std::string> computed, std::shared_ptr<const Database> database,
         std::vector<TableColumn> kept)
      : name_(std::move(file)),
        options_(copy_options(name_)),
        computed_(std::move(computed)),
        kept_(std::move(kept)),
        database_(std::move(database)),
        table_(database_->fresh_name("output")),
        connection_(database_->handle()) {
    check_names();
    if (name_ != "-") file_.emplace(name_);
    database_->run(fmt::format("CREATE TABLE {} ({})", table_, declarations()));
    appender_ = std::make_unique<Appender>(connection_.handle(), table_);
  }

  ~Output() {
    appender_.reset();
    try {
      database_->run(fmt::format("DROP TABLE IF EXISTS {}", table_));
    } catch (const std::exception&) {
      // The table is dropped with the database at the latest.
      static_cast<void>(0);
    }
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void show_as(const std::string& column, std::vector<std::string> labels) {
    labels_[column] = std::move(labels);
  }

  void append(std::span<const std::span<const double>> computed, const KeptRows* kept) {
    const std::size_t rows = computed.empty() ? 0 : computed[0].size();
    const bool even =
        std::all_of(computed.begin(), computed.end(), [rows](auto c) { return c.size() == rows; });
    if (computed.size() != computed_.size() || !even || (kept == nullptr && !kept_.empty()))
      throw Error(ErrorCode::invalid_argument, "rows_of_other_columns",
                  "The rows to write do not have the columns that were announced.");
    if (kept != nullptr && !kept_.empty())
      append_with_kept(computed, rows, *kept);
    else
      append_computed(computed, rows);
  }

  void finish() {
    std::optional<StandardOutput> standard_output;
    if (!file_) standard_output.emplace();
    const std::string path = file_ ? file_->path().string() : standard_output->path();
    try {
      appender_->close();
      database_->run(fmt::format("COPY (SELECT {} FROM {}) TO {} ({})", selection(), table_,
                                 sql_literal(path), options_));
    } catch (const SqlError& error) {
      const std::string message = error.what();
      throw Error(ErrorCode::io, "unwritable_file", "The file '{file}' cannot be written: {cause}",
                  {{"file", name_}, {"cause", message.substr(0, message.find('\n'))}});
    }
    if (file_)
      file_->commit();
    else
      standard_output->finish();
  }

 private:
  void check_names() const {
    std::vector<std::string> names = computed_;
    for (const TableColumn& column : kept_) names.push_back(column.name);
    const std::string twice = first_duplicate(names);
    if (!twice.empty())
      throw Error(ErrorCode::invalid_argument, "output_column_twice",
                  "The output would have two columns named '{column}'. Do not keep that column.",
                  {{"column", twice}});
  }

  std::string declarations() const {
    std::string text;
    for (const std::string& name : computed_)
      text += fmt::format("{}{} DOUBLE", text.empty() ? "" : ", ", as_sql(name));
    for (const TableColumn& column : kept_)
      text += fmt::format(", {} {}", as_sql(column.name), column.sql_type);
    return text;
  }

  /// All columns, with labels in place of positions.
  std::string selection() const {
    std::string replaced;
    for (const auto& [column, labels] : labels_)
      replaced += fmt::format("{}list_extract([{}], {}::BIGINT + 1) AS {}", replaced.empty() ? "" : ", ",
                              sql_list(labels), as_sql(column), as_sql(column));
    return replaced.empty() ? "*" : fmt::format("* REPLACE ({})", replaced);
  }

  void append_computed(std::span<const std::span<const double>> computed, std::size_t rows) {
    const std::size_t most = duckdb_vector_size();
    for (std::size_t first = 0; first < rows; first += most)
      append_rows(computed, first, std::min(most, rows - first), nullptr, 0);
  }

  void append_with_kept(std::span<const std::span<const double>> computed, std::size_t rows,
                        const KeptRows& kept) {
    std::size_t first = 0;
    for (const Chunk& chunk : kept.chunks) {
      if (chunk.rows() > rows - first) break;
      append_rows(computed, first, chunk.rows(), &chunk, kept.first_column);
      first += chunk.rows();
    }
    if (first != rows)
      throw Error(ErrorCode::invalid_argument, "rows_of_another_block",
                  "The rows to write are not those of the block that was read.");
  }

  void append_rows(std::span<const std::span<const double>> computed, std::size_t first, std::size_t rows,
                   const Chunk* kept, std::size_t first_kept) {
    LogicalTypes types;
    for (std::size_t c = 0; c < computed.size(); ++c)
      types.add(duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE));
    for (std::size_t k = 0; k < kept_.size(); ++k)
      types.add(duckdb_vector_get_column_type(kept->vector(first_kept + k)));
    const Chunk chunk = types.new_chunk();
    for (std::size_t c = 0; c < computed.size(); ++c)
      std::memcpy(duckdb_vector_get_data(chunk.vector(c)), computed[c].data() + first, rows * sizeof(double));
    for (std::size_t k = 0; k < kept_.size(); ++k)
      duckdb_vector_reference_vector(chunk.vector(computed.size() + k), kept->vector(first_kept + k));
    duckdb_data_chunk_set_size(chunk.handle(), rows);
    try {
      appender_->append(chunk);
    } catch (const SqlError& error) {
      throw Error(ErrorCode::io, "rows_not_kept", "Rows for the file '{file}' cannot be kept: {cause}",
                  {{"file", name_}, {"cause", error.what()}});
    }
  }

  std::string name_;
  std::string options_;
  std::vector<std::string> computed_;
  std::vector<TableColumn> kept_;
  std::map<std::string, std::vector<std::string>> labels_;  // of columns that are written as texts
  std::shared_ptr<const Database> database_;
  std::string table_;
  Connection connection_;
  std::unique_ptr<Appender> appender_;
  std::optional<PendingFile> file_;
};

Writer::Writer(const std::string& file, std::vector<std::string> computed)
    : output_(std::make_unique<Output>(file, std::move(computed),
                                       std::make_shared<const Database>(DatabaseOptions{}),
                                       std::vector<TableColumn>{})) {}

Writer::Writer(const std::string& file, std::vector<std::string> computed, const Table& input,
               const std::vector<std::string>& keep)
    : output_(std::make_unique<Output>(file, std::move(computed), input.shared_database(),
                                       kept_columns(input, keep))) {}

Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

void Writer::show_as(const std::string& column, std::vector<std::string> labels) {
  output_->show_as(column, std::move(labels));
}

void Writer::append(std::span<const std::span<const double>> computed) { output_->append(computed, nullptr); }

void Writer::append(std::span<const std::span<const double>> computed, const KeptRows& kept) {
  output_->append(computed, &kept);
}

void Writer::finish() { output_->finish(); }

}  // namespace kore::duckdb
