#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "duckdb/database.hpp"
#include "duckdb/sql.hpp"
#include "support/error_of.hpp"
#include "support/sentences.hpp"

namespace kore::duckdb::testing {

/// A folder for the files of one test, gone with it.
class Scratch {
 public:
  Scratch() {
    static std::atomic<int> number{0};
    folder_ = std::filesystem::temp_directory_path() /
              ("kore-data-test-" + std::to_string(getpid()) + "-" + std::to_string(number++));
    std::filesystem::create_directories(folder_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  const std::filesystem::path& folder() const { return folder_; }

  std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Lets DuckDB write the rows of a query to a file.
  std::string copy(const std::string& query, const std::string& name, const std::string& options) const {
    const Database database(DatabaseOptions{});
    database.run("COPY (" + query + ") TO " + sql_literal(path(name)) + " (" + options + ")");
    return path(name);
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace kore::duckdb::testing
