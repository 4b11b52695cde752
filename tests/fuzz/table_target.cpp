// Bytes of a CSV or JSON file, through DuckDB and everything that reads a table with it: for a fit, and for
// predictions. DuckDB takes milliseconds for each, so that most of what is about texts is left to `texts`.
#include <filesystem>
#include <fstream>
#include <string>

#include "base/system.hpp"
#include "duckdb/scoring.hpp"
#include "duckdb/summarize.hpp"
#include "duckdb/table_source.hpp"
#include "fuzz/passes.hpp"
#include "fuzz/uses.hpp"

namespace kore::fuzz {
namespace {

/// Where the bytes are put, for DuckDB reads files. Removed when the process ends.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("kore-fuzz-" + std::to_string(system::process_id()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, Given bytes) const {
    const std::string path = (path_ / name).string();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
  }

 private:
  std::filesystem::path path_;
};

constexpr std::uint64_t memory = 64U << 20U;

void read_for_a_fit(const std::string& path) {
  duckdb::ReadOptions reading;
  reading.threads = 1;
  reading.memory_limit = memory;
  const duckdb::Table table = duckdb::open_table(path, reading);
  table::ColumnChoice choice;
  choice.target = table.column_names().front();
  const table::TableSummary summary = duckdb::summarize(table, choice);
  const table::Encoding encoding = table::make_encoding(summary.columns, {});
  duckdb::TableSource(table, encoding, summary).for_each_block([](const RowBlock&) {});
}

/// For a model with a number, a date and a category.
void read_for_predictions(const std::string& path) {
  table::Encoding encoding = encoding_of_numbers({"x", "when"});
  encoding.columns.back().type = table::ColumnType::date;
  table::EncodedColumn town;
  town.name = "town";
  town.type = table::ColumnType::text;
  town.category = town.has_other = true;
  town.levels = {"Bonn", "Aachen"};
  encoding.features.push_back({"town", table::EncodedKind::category, encoding.columns.size(), 0});
  encoding.columns.push_back(town);
  duckdb::ReadOptions reading;
  reading.threads = 1;
  reading.memory_limit = memory;
  reading.keep_rows = false;
  reading.text_columns = duckdb::category_names(encoding);
  const duckdb::Table table = duckdb::open_table(path, reading);
  duckdb::for_each_scoring_block(table, table::Encoder(encoding), {}, [](const duckdb::ScoringBlock&) {});
}

}  // namespace

bool run_table(Given bytes) {
  static const Folder folder;
  const bool json = !bytes.empty() && (bytes[0] == std::byte{'{'} || bytes[0] == std::byte{'['});
  const std::string path = folder.write(json ? "table.json" : "table.csv", bytes);
  // Reading is what is tested here: DuckDB accepts nearly all texts, and what is read is passed on.
  const bool fitted = consume("blocks for a fit", [&] { read_for_a_fit(path); });
  const bool predicted = consume("blocks for predictions", [&] { read_for_predictions(path); });
  return fitted || predicted;
}

}  // namespace kore::fuzz
