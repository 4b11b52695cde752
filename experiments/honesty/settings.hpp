#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace kore::experiments::honesty {

/// What a run of the study was asked for.
struct Settings {
  std::filesystem::path data;      ///< Where the tables are.
  std::filesystem::path output;    ///< Where the results of single cells are written; empty: nowhere.
  std::filesystem::path gamsim;    ///< Data sets for mgcv and its errors; empty: without mgcv.
  std::vector<std::string> parts;  ///< Empty: all.
  std::vector<std::string> sets;   ///< Tables to look at; empty: all.
  std::size_t draws = 0;           ///< At most so many repeats of each cell; 0: as many as the study has.
  int threads = 2;                 ///< Cells that run at the same time, each fit on one thread.

  bool asks_for_part(const std::string& part) const { return parts.empty() || contains(parts, part); }
  bool asks_for_set(const std::string& set) const { return sets.empty() || contains(sets, set); }
  std::size_t repeats(std::size_t usual) const { return draws == 0 ? usual : std::min(draws, usual); }

 private:
  static bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  }
};

}  // namespace kore::experiments::honesty
