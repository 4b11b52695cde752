#include "duckdb/database.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>
#include <utility>

#include "base/memory.hpp"
#include "base/system.hpp"
#include "kore/error.hpp"

namespace kore::duckdb {
namespace {

/// Each thread needs buffers of its own, so that a small limit allows few; more than cores gain nothing.
std::uint64_t reading_threads(unsigned wanted, std::uint64_t memory_limit) {
  constexpr std::uint64_t bytes_per_thread = 16'000'000;
  const std::uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::uint64_t most = std::clamp<std::uint64_t>(memory_limit / bytes_per_thread, 1, cores);
  return wanted == 0 ? most : std::min<std::uint64_t>(wanted, most);
}

namespace fs = std::filesystem;

constexpr std::string_view spill_mark = "kore-spill-";

/// Removes what processes that were killed have left: nobody holds a lock on their folder.
void remove_left_over_folders(const fs::path& place) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(place, ignored)) {
    if (!entry.path().filename().string().starts_with(spill_mark) || !entry.is_directory(ignored)) continue;
    const system::Opened left = system::open_file(entry.path(), system::Access::read);
    if (left.error == 0 && system::lock(left.file) == system::Lock::ours)
      fs::remove_all(entry.path(), ignored);
  }
}

std::string fresh_spill_folder() {
  static std::atomic<unsigned> number{0};
  const fs::path place = system::temporary_folder();
  remove_left_over_folders(place);
  return (place / fmt::format("{}{}-{}", spill_mark, system::process_id(), number++)).string();
}

/// Makes the folder, and marks it as used. Where that fails, DuckDB says so if it needs the folder.
system::Descriptor locked_folder(const std::string& folder) {
  std::error_code ignored;
  fs::create_directory(folder, ignored);
  system::Opened opened = system::open_file(folder, system::Access::read);
  if (opened.error == 0) system::lock(opened.file);
  return std::move(opened.file);
}

[[noreturn]] void throw_result_error(duckdb_result& result) {
  const SqlError error(duckdb_result_error_type(&result), duckdb_result_error(&result));
  duckdb_destroy_result(&result);
  throw error;
}

/// The types that are told apart, by the names in front of messages.
duckdb_error_type named_type(std::string_view message) {
  constexpr std::array<std::pair<std::string_view, duckdb_error_type>, 5> names{
      {{"Out of Memory Error: ", DUCKDB_ERROR_OUT_OF_MEMORY},
       {"Binder Error: ", DUCKDB_ERROR_BINDER},
       {"IO Error: ", DUCKDB_ERROR_IO},
       {"Permission Error: ", DUCKDB_ERROR_PERMISSION},
       {"Conversion Error: ", DUCKDB_ERROR_CONVERSION}}};
  for (const auto& [name, type] : names)
    if (message.starts_with(name)) return type;
  return DUCKDB_ERROR_INVALID;
}

class Config {
 public:
  Config() { duckdb_create_config(&handle_); }
  ~Config() { duckdb_destroy_config(&handle_); }
  Config(const Config&) = delete;
  Config& operator=(const Config&) = delete;

  void set(const char* name, const std::string& value) {
    if (duckdb_set_config(handle_, name, value.c_str()) != DuckDBSuccess)
      throw Error(ErrorCode::invalid_argument, "setting_not_accepted",
                  "DuckDB does not accept {setting} = {value}.", {{"setting", name}, {"value", value}});
  }
  duckdb_config handle() const { return handle_; }

 private:
  duckdb_config handle_ = nullptr;
};

class Prepared {
 public:
  Prepared(duckdb_connection connection, const std::string& sql) {
    if (duckdb_prepare(connection, sql.c_str(), &handle_) == DuckDBSuccess) return;
    const SqlError error(duckdb_prepare_error(handle_));
    duckdb_destroy_prepare(&handle_);
    throw error;
  }
  ~Prepared() { duckdb_destroy_prepare(&handle_); }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  duckdb_prepared_statement handle() const { return handle_; }

 private:
  duckdb_prepared_statement handle_ = nullptr;
};

bool is_valid(const std::uint64_t* validity, std::size_t row) {
  return validity == nullptr || ((validity[row / 64] >> (row % 64)) & 1U) != 0;
}

std::string_view view_of(const duckdb_string_t& text) {
  const std::uint32_t length = text.value.inlined.length;
  return {duckdb_string_is_inlined(text) ? text.value.inlined.inlined : text.value.pointer.ptr, length};
}

}  // namespace

SqlError::SqlError(duckdb_error_type type, const char* message)
    : std::runtime_error(message == nullptr ? "unknown error" : message), type_(type) {}

SqlError::SqlError(const char* message) : SqlError(DUCKDB_ERROR_INVALID, message) {
  type_ = named_type(what());
}

Chunk::~Chunk() {
  if (handle_ != nullptr) duckdb_destroy_data_chunk(&handle_);
}

Chunk::Chunk(Chunk&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

Chunk& Chunk::operator=(Chunk&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

void Chunk::append_doubles(std::size_t column, std::vector<double>& out) const {
  const duckdb_vector values = vector(column);
  const auto* data = static_cast<const double*>(duckdb_vector_get_data(values));
  const std::uint64_t* validity = duckdb_vector_get_validity(values);
  const std::size_t start = out.size();
  out.insert(out.end(), data, data + rows());
  if (validity == nullptr) return;
  for (std::size_t row = 0; row < rows(); ++row)
    if (!is_valid(validity, row)) out[start + row] = std::numeric_limits<double>::quiet_NaN();
}

void Chunk::append_texts(std::size_t column, std::vector<std::string_view>& out) const {
  const duckdb_vector values = vector(column);
  const auto* data = static_cast<const duckdb_string_t*>(duckdb_vector_get_data(values));
  const std::uint64_t* validity = duckdb_vector_get_validity(values);
  for (std::size_t row = 0; row < rows(); ++row)
    out.push_back(is_valid(validity, row) ? view_of(data[row]) : std::string_view{});
}

bool Chunk::is_null(std::size_t column, std::size_t row) const {
  return !is_valid(duckdb_vector_get_validity(vector(column)), row);
}

double Chunk::number(std::size_t column, std::size_t row) const {
  if (is_null(column, row)) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<const double*>(duckdb_vector_get_data(vector(column)))[row];
}

std::uint64_t Chunk::count(std::size_t column, std::size_t row) const {
  if (is_null(column, row)) return 0;
  return static_cast<std::uint64_t>(
      static_cast<const std::int64_t*>(duckdb_vector_get_data(vector(column)))[row]);
}

std::string Chunk::text(std::size_t column, std::size_t row) const {
  if (is_null(column, row)) return {};
  return std::string(
      view_of(static_cast<const duckdb_string_t*>(duckdb_vector_get_data(vector(column)))[row]));
}

Connection::Connection(duckdb_database database) {
  if (duckdb_connect(database, &handle_) != DuckDBSuccess)
    throw Error(ErrorCode::io, "no_connection", "DuckDB could not open a connection.");
}

Connection::~Connection() {
  if (handle_ != nullptr) duckdb_disconnect(&handle_);
}

Connection::Connection(Connection&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

Stream::Stream(duckdb_database database, const std::string& sql) : connection_(database) {
  const Prepared statement(connection_.handle(), sql);
  duckdb_pending_result pending = nullptr;
  if (duckdb_pending_prepared_streaming(statement.handle(), &pending) != DuckDBSuccess) {
    const SqlError error(duckdb_pending_error(pending));
    duckdb_destroy_pending(&pending);
    throw error;
  }
  const duckdb_state state = duckdb_execute_pending(pending, &result_);
  duckdb_destroy_pending(&pending);
  if (state != DuckDBSuccess) throw_result_error(result_);
}

Stream::~Stream() {
  // DuckDB 1.4 hangs or crashes now and then when a streaming result goes while its threads still fill it: a
  // pass left early is stopped and read to its end.
  if (!ended_) {
    duckdb_interrupt(connection_.handle());
    while (duckdb_data_chunk chunk = duckdb_fetch_chunk(result_)) duckdb_destroy_data_chunk(&chunk);
  }
  // The result refers to its connection, so it must go first.
  duckdb_destroy_result(&result_);
}

Stream::Stream(Stream&& other) noexcept
    : connection_(std::move(other.connection_)),
      result_(std::exchange(other.result_, {})),
      ended_(std::exchange(other.ended_, true)) {}

std::optional<Chunk> Stream::next() {
  duckdb_data_chunk chunk = duckdb_fetch_chunk(result_);
  if (chunk != nullptr) return Chunk(chunk);
  ended_ = true;
  const char* message = duckdb_result_error(&result_);
  if (message != nullptr && *message != '\0') throw SqlError(duckdb_result_error_type(&result_), message);
  return std::nullopt;
}

Database::Database(const DatabaseOptions& options)
    : memory_limit_(options.memory_limit == 0 ? default_memory_limit() : options.memory_limit),
      threads_(reading_threads(options.threads, memory_limit_)),
      spill_folder_(fresh_spill_folder()),
      spill_lock_(locked_folder(spill_folder_)) {
  Config config;
  config.set("memory_limit", fmt::format("{}B", memory_limit_));
  config.set("threads", std::to_string(threads_));
  config.set("temp_directory", spill_folder_);
  config.set("preserve_insertion_order", "true");
  config.set("autoinstall_known_extensions", "false");
  char* message = nullptr;
  if (duckdb_open_ext(nullptr, &database_, config.handle(), &message) == DuckDBSuccess) return;
  const std::string cause = message == nullptr ? "" : message;
  duckdb_free(message);
  throw Error(ErrorCode::io, "duckdb_not_started", "DuckDB could not be started: {cause}",
              {{"cause", cause}});
}

Database::~Database() {
  duckdb_close(&database_);
  std::error_code ignored;
  std::filesystem::remove_all(spill_folder_, ignored);
}

Chunk Database::first_rows(const std::string& sql) const {
  Stream result = stream(sql);
  auto chunk = result.next();
  if (!chunk) throw SqlError("the result has no rows");
  return std::move(*chunk);
}

void Database::run(const std::string& sql) const {
  const Connection connection(database_);
  duckdb_result result{};
  if (duckdb_query(connection.handle(), sql.c_str(), &result) != DuckDBSuccess) throw_result_error(result);
  duckdb_destroy_result(&result);
}

std::vector<std::string> Database::select_columns(const std::string& sql) const {
  const Connection connection(database_);
  const Prepared statement(connection.handle(), sql);
  if (duckdb_prepared_statement_type(statement.handle()) != DUCKDB_STATEMENT_TYPE_SELECT)
    throw SqlError("it changes something, but only queries that read are allowed");
  std::vector<std::string> names;
  for (idx_t c = 0; c < duckdb_prepared_statement_column_count(statement.handle()); ++c) {
    const char* name = duckdb_prepared_statement_column_name(statement.handle(), c);
    names.emplace_back(name == nullptr ? "" : name);
    duckdb_free(const_cast<char*>(name));
  }
  return names;
}

std::string Database::fresh_name(const std::string& stem) const {
  return fmt::format("kore_{}_{}", stem, names_given_++);
}

}  // namespace kore::duckdb
