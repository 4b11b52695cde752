#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kore/encoding.hpp"
#include "kore/options.hpp"
#include "kore/rows.hpp"

/// The published study on real data: which rows of which data set, split and scaled how, and what came out.
namespace kore::experiments {

/// Where the files of the data sets and the published results are.
struct StudyFolders {
  std::filesystem::path data;
  std::filesystem::path results;
};

/// A data set as it is listed, with the rows that the study drew from it (none: all).
struct StudySet {
  std::string name;
  std::size_t rows = 0;
  std::vector<std::size_t> drawn;
};

/// The sets of the study whose files are there. One generator is shared by all sets in the order of the list,
/// also by those whose files are not.
std::vector<StudySet> study_sets(const StudyFolders& folders);

std::filesystem::path study_file(const StudyFolders& folders, const std::string& set);
std::vector<std::string> categorical_columns(const StudyFolders& folders, const std::string& set);

/// Encoded rows, column by column.
struct StudyRows {
  std::size_t count = 0;
  std::size_t columns = 0;
  std::vector<double> x;
  std::vector<double> y;
  Options features = {};  ///< What the engine has to know of them: kinds, and levels of categories.

  MatrixView view() const { return MatrixView::column_major(x, count, columns); }
};

/// The rows of the study, encoded on the full file, then drawn: as the paper does it, or as another profile.
StudyRows study_rows(const StudyFolders& folders, const StudySet& set,
                     const table::EncodingOptions& encoding = table::EncodingOptions::paper());

/// The chosen rows, in the order in which they are named.
StudyRows pick(const StudyRows& rows, std::span<const std::size_t> chosen);

struct StudySplit {
  StudyRows train;
  StudyRows test;
};

/// Four fifths of the rows to learn from. Features are scaled to the box of the training rows; test rows
/// outside of it are moved to its surface.
StudySplit study_split(const StudyRows& rows, std::uint64_t seed);
/// The same rows as they are.
StudySplit plain_split(const StudyRows& rows, std::uint64_t seed);

/// Published test errors: `[data set][seed][method]`. Cells without a number are absent.
using PublishedErrors = std::map<std::string, std::map<std::uint64_t, std::map<std::string, double>>>;
PublishedErrors published_errors(const StudyFolders& folders);

double root_mean_square_error(const std::vector<double>& predicted, const std::vector<double>& truth);

}  // namespace kore::experiments
