#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/study.hpp"

namespace kore::experiments {

/// How far a number may be from its published value, relative to that.
inline constexpr double allowed_difference = 1e-5;

/// A field that differs more than it may.
struct Disagreement {
  std::string cell;  ///< The fields that name the row.
  std::string column;
  std::string ours;
  std::string published;
  std::string remark = {};  ///< What a closer look showed, if one was taken.
  bool tie = false;         ///< The selector's two best candidates tie to rounding: either result is right.
};

/// A largest relative difference and where it was found.
struct LargestDifference {
  double value = 0;
  std::string cell;
  std::string column;

  void offer(double difference, const std::string& where, const std::string& column);
};

/// Our results of a study beside result files of the same names.
struct Comparison {
  std::string study;
  bool has_reference = false;  ///< There is a file to compare with; everything else is empty otherwise.
  std::size_t rows = 0;        ///< Compared: in both files.
  std::size_t published = 0;
  std::size_t selections = 0;
  std::size_t agreeing = 0;
  LargestDifference errors;
  LargestDifference others;  ///< Other numbers, those derived from the whole table and summaries included.
  std::vector<Disagreement> disagreements;

  /// Every selection and fact is equal, every error and estimate as close as it must be, ties aside.
  bool holds() const { return std::ranges::all_of(disagreements, &Disagreement::tie); }
};

/// Compares row by row what both tables have. Times are not looked at; numbers that are derived, or
/// summaries, are measured but not bound, because a few are differences of nearly equal numbers.
Comparison compare(const Study& study, const Table& ours, const Table& published);

/// The same with the study's file in a folder, and with its summaries there.
Comparison compare_with_folder(const Study& study, const Table& ours, const std::filesystem::path& folder);

/// Takes a closer look at the first few cells that disagree: how far apart the selector's two best candidates
/// are.
void explain(Comparison& comparison, const Study& study, int threads);

/// A relative difference; 0 for two equal numbers, or two that are both missing.
double relative_difference(double ours, double published);

}  // namespace kore::experiments
