#pragma once

#include <unistd.h>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "experiments/study.hpp"

namespace kore::experiments {

/// A folder for the files of one test, gone with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    static std::atomic<int> number{0};
    path_ = std::filesystem::temp_directory_path() /
            ("kore-experiments-test-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path path_;
};

/// Three settings with a few seeds each. The choice is the setting's number, the error follows from setting
/// and seed, and the share is derived from the sum over all rows. Every computation is counted.
struct MadeUpStudy {
  explicit MadeUpStudy(std::size_t seeds) {
    study.name = "made-up";
    study.title = "Made up";
    study.file = "made_up.csv";
    study.columns = {{"setting", Role::name}, {"rows", Role::fact}, {"seed", Role::name},
                     {"G", Role::selection},  {"time", Role::time}, {"rmse", Role::error},
                     {"share", Role::derived}};
    for (const int setting : {1, 2, 3})
      for (std::uint64_t seed = 0; seed < seeds; ++seed)
        study.cells.push_back(
            {.names = {row_of({setting, seed})},
             .seed = seed,
             .cost = static_cast<double>(setting),
             .compute = [setting, seed, counter = computed](int) {
               ++*counter;
               const double rmse = 0.1 * setting + 0.01 * static_cast<double>(seed);
               return std::vector<Row>{row_of({setting, 100 * setting, seed, setting, 0.5, rmse, ""})};
             }});
    study.derive = [](Table& table) {
      double sum = 0;
      for (const double rmse : numbers(table, "rmse")) sum += rmse;
      for (std::size_t r = 0; r < table.rows.size(); ++r)
        table.rows[r][table.position("share")] = number_field(table.number(r, "rmse") / sum);
    };
    study.summarise = [](const Table& table) {
      Table summary{{"rows"}, {row_of({table.rows.size()})}};
      return std::vector<NamedTable>{{"made_up_summary.csv", summary}};
    };
  }

  Study study;
  std::shared_ptr<std::atomic<int>> computed = std::make_shared<std::atomic<int>>(0);
};

}  // namespace kore::experiments
