#include "cli/effects_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <set>
#include <span>
#include <string_view>

#include "base/atomic_file.hpp"
#include "cli/output.hpp"
#include "kore/error.hpp"

namespace kore::cli {
namespace {

namespace fs = std::filesystem;
using namespace story;

constexpr const char* json_name = "effects.json";
constexpr std::string_view json_beginning = "{\n \"target\": ";  // as `kore effects` writes it
constexpr const char* list_name = "effects.csv";
constexpr const char* list_header = "term,kind,share,covariance_share,value,file";

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

// A file name made from column names: letters, digits and a few signs stay.
std::string file_name(std::size_t rank, const std::vector<std::string>& names) {
  std::string name = fmt::format("{:03}", rank + 1);
  for (const std::string& part : names) {
    name += '_';
    for (const char c : part)
      name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' ? c : '_';
  }
  return name.substr(0, 120) + ".csv";
}

constexpr std::array<const char*, 4> value_columns{"effect", "standard_error", "lower", "upper"};

/// A feature that is called like one of the columns beside it.
std::string feature_column(const std::string& name) {
  return field(std::ranges::find(value_columns, name) == value_columns.end() ? name : name + " (feature)");
}

/// The value and, where it is known, its standard error and 95 % band.
std::string values_text(const EffectGrid& grid, std::size_t row) {
  if (grid.errors.empty()) return fmt::format("{}", grid.values[row]);
  return fmt::format("{},{},{},{}", grid.values[row], grid.errors[row], grid.lower(row), grid.upper(row));
}

EffectGrid grid_of(const table::TableModel& fitted, const Decomposition& shown, std::size_t term,
                   const GridSize& size, bool factors) {
  EffectGrid grid = effect_grid(fitted, shown, term, size);
  return factors ? as_factors(std::move(grid)) : grid;
}

double constant_of(const Decomposition& shown, bool factors) {
  return factors ? std::exp(shown.constant) : shown.constant;
}

std::string curve_csv(const table::TableModel& fitted, const Decomposition& shown, std::size_t term,
                      const GridSize& size, bool factors) {
  const EffectGrid grid = grid_of(fitted, shown, term, size, factors);
  std::string text;
  for (const std::string& name : feature_names(shown, term)) text += feature_column(name) + ",";
  text += grid.errors.empty() ? "effect\n" : fmt::format("{}\n", fmt::join(value_columns, ","));
  for (std::size_t i = 0; i < grid.values.size(); ++i) {
    for (std::size_t c = 0; c < grid.coordinates.size(); ++c) text += field(grid.text(c, i)) + ",";
    text += values_text(grid, i) + "\n";
  }
  return text;
}

void write_text(const fs::path& path, const std::string& text) {
  write_atomically(path, std::as_bytes(std::span(text)));
}

[[noreturn]] void refuse_foreign(const fs::path& file) {
  throw Error(ErrorCode::invalid_argument, "file_of_others",
              "The file '{file}' was not written by 'kore effects'. Give another folder.",
              {{"file", file.string()}});
}

/// The files in the list of an earlier run. Only names that `file_name` can make are accepted, so that no
/// file outside the folder and no file of somebody else is removed.
std::set<std::string> listed_files(const fs::path& folder) {
  std::set<std::string> files;
  std::ifstream list(folder / list_name);
  std::string line;
  if (!std::getline(list, line)) return files;
  if (line != list_header) refuse_foreign(folder / list_name);
  while (std::getline(list, line)) {
    const std::string name = line.substr(line.rfind(',') + 1);
    const bool ours = name.size() > 8 && std::all_of(name.begin(), name.begin() + 3,
                                                     [](unsigned char c) { return std::isdigit(c) != 0; });
    if (ours && name.ends_with(".csv") && name.find('/') == std::string::npos) files.insert(name);
  }
  files.insert(list_name);
  return files;
}

/// All files of an earlier run.
std::set<std::string> earlier_files(const fs::path& folder) {
  std::set<std::string> files = listed_files(folder);
  std::ifstream json(folder / json_name, std::ios::binary);
  if (!json) return files;
  std::string beginning(json_beginning.size(), ' ');
  json.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  if (beginning != json_beginning) refuse_foreign(folder / json_name);
  files.insert(json_name);
  return files;
}

void remove_all(const fs::path& folder, const std::set<std::string>& files) {
  std::error_code ignored;
  for (const std::string& file : files) fs::remove(folder / file, ignored);
}

}  // namespace

std::string effects_csv(const table::TableModel& fitted, const Decomposition& shown, const GridSize& size,
                        bool factors) {
  std::size_t order = 1;
  for (const ShownTerm& term : shown.terms) order = std::max(order, term.order());
  std::string text = "term,";
  for (std::size_t c = 0; c < order; ++c) text += fmt::format("x{},", c + 1);
  text += fmt::format("{}\n(constant),{}{},,,\n", fmt::join(value_columns, ","), std::string(order, ','),
                      constant_of(shown, factors));
  for (const std::size_t term : ranked_terms(shown)) {
    const EffectGrid grid = grid_of(fitted, shown, term, size, factors);
    const std::string name = field(term_name(shown, term));
    for (std::size_t i = 0; i < grid.values.size(); ++i) {
      text += name + ",";
      for (std::size_t c = 0; c < order; ++c)
        text += (c < grid.coordinates.size() ? field(grid.text(c, i)) : "") + ",";
      text += values_text(grid, i) + (grid.errors.empty() ? ",,,\n" : "\n");
    }
  }
  return text;
}

void write_effects_folder(const table::TableModel& fitted, const Decomposition& shown, const GridSize& size,
                          const fs::path& folder, bool factors) {
  make_folder(folder);
  std::set<std::string> stale = earlier_files(folder);
  std::string list = fmt::format("{}\n(constant),constant,,,{},\n", list_header, constant_of(shown, factors));
  std::size_t rank = 0;
  for (const std::size_t term : ranked_terms(shown)) {
    const std::string file = file_name(rank++, feature_names(shown, term));
    write_text(folder / file, curve_csv(fitted, shown, term, size, factors));
    stale.erase(file);
    list += fmt::format("{},{},{},{},,{}\n", field(term_name(shown, term)), effect_kind(shown, term),
                        shown.effects[term].share, shown.effects[term].covariance_share, file);
  }
  // Before the new list is written: if this run is interrupted, the old list still names what is left.
  stale.erase(list_name);
  remove_all(folder, stale);
  write_text(folder / list_name, list);
}

void write_effects_json(const std::string& text, const fs::path& folder) {
  make_folder(folder);
  std::set<std::string> stale = earlier_files(folder);
  write_text(folder / json_name, text);
  stale.erase(json_name);
  remove_all(folder, stale);
}

}  // namespace kore::cli
