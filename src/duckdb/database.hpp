#pragma once

#include <duckdb.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/system.hpp"
#include "base/unfinished_files.hpp"

/// DuckDB's C interface as values that clean up after themselves. Nothing outside this room includes this
/// header.
namespace kore::duckdb {

/// An error of DuckDB: its type and its own message. It stays inside this room, where `explained` turns it
/// into a `kore::Error`.
class SqlError : public std::runtime_error {
 public:
  /// DuckDB keeps the type of some errors to itself, of statements that cannot be prepared for one. Their
  /// type is taken from its name, which DuckDB puts in front of the words: "IO Error: ...".
  explicit SqlError(const char* message);
  SqlError(duckdb_error_type type, const char* message);

  duckdb_error_type type() const noexcept { return type_; }

 private:
  duckdb_error_type type_;
};

struct DatabaseOptions {
  unsigned threads = 0;            ///< 0: one per core.
  std::uint64_t memory_limit = 0;  ///< In bytes; 0: half of the machine's memory.
};

/// Up to 2048 rows of a result.
class Chunk {
 public:
  explicit Chunk(duckdb_data_chunk handle) : handle_(handle) {}
  ~Chunk();
  Chunk(Chunk&& other) noexcept;
  Chunk& operator=(Chunk&& other) noexcept;
  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;

  std::size_t rows() const { return duckdb_data_chunk_get_size(handle_); }
  duckdb_data_chunk handle() const { return handle_; }
  duckdb_vector vector(std::size_t column) const { return duckdb_data_chunk_get_vector(handle_, column); }

  /// Appends a column of type DOUBLE, with NaN for NULL.
  void append_doubles(std::size_t column, std::vector<double>& out) const;
  /// Appends a column of type VARCHAR, with null views for NULL. The views live as long as the chunk.
  void append_texts(std::size_t column, std::vector<std::string_view>& out) const;

  // Single values of small results; the column must have just this type.
  bool is_null(std::size_t column, std::size_t row) const;
  double number(std::size_t column, std::size_t row) const;
  std::uint64_t count(std::size_t column, std::size_t row) const;  ///< BIGINT
  std::string text(std::size_t column, std::size_t row) const;

 private:
  duckdb_data_chunk handle_ = nullptr;
};

class Connection {
 public:
  explicit Connection(duckdb_database database);
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;
  duckdb_connection handle() const { return handle_; }

 private:
  duckdb_connection handle_ = nullptr;
};

/// The result of a query, fetched while it is computed. It has its own connection, so that no other query
/// ends it.
class Stream {
 public:
  Stream(duckdb_database database, const std::string& sql);
  ~Stream();
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&&) = delete;

  /// The next rows, or nothing at the end. Throws SqlError.
  std::optional<Chunk> next();

 private:
  Connection connection_;
  duckdb_result result_{};
  bool ended_ = false;
};

/// An in-memory database. It spills to a temporary folder that is removed with it, and never downloads
/// extensions.
class Database {
 public:
  explicit Database(const DatabaseOptions& options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Stream stream(const std::string& sql) const { return {database_, sql}; }
  /// The first rows of a result, which must have some.
  Chunk first_rows(const std::string& sql) const;
  void run(const std::string& sql) const;
  /// The names a query gives its columns, without running it. Throws SqlError if it is anything but one
  /// SELECT.
  std::vector<std::string> select_columns(const std::string& sql) const;
  duckdb_database handle() const { return database_; }

  /// Bytes that DuckDB may use.
  std::uint64_t memory_limit() const { return memory_limit_; }
  /// Threads that may read at once.
  std::uint64_t threads() const { return threads_; }
  /// A new table name.
  std::string fresh_name(const std::string& stem) const;

 private:
  duckdb_database database_ = nullptr;
  std::uint64_t memory_limit_ = 0;
  std::uint64_t threads_ = 1;
  std::string spill_folder_;
  system::Descriptor spill_lock_;  ///< Tells other processes that the folder is not left over.
  UnfinishedFile spill_files_{spill_folder_};
  mutable std::uint64_t names_given_ = 0;
};

}  // namespace kore::duckdb
