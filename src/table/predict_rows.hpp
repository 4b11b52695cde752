#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kore/table_model.hpp"

/// Predictions of rows as every front gives them: with exposures and offsets put back, and with intervals.
namespace kore::table {

/// The column of exposures or offsets, the known part of a model; empty where it has none.
const std::string& known_column(const FitFacts& facts);
/// What a row without a value in that column has: one unit of exposure, or no offset.
double usual_known_part(const FitFacts& facts);
/// The prediction of a row with this exposure or offset; without one it is a rate, or that of no offset.
double with_known_part(const FitFacts& facts, double prediction, double known);
/// A sentence for a table without that column, where the model has one; empty otherwise.
std::string missing_known_part(const FitFacts& facts);

struct RowPredictions {
  std::vector<double> prediction;
  std::vector<double> lower;  ///< Both empty where no interval was asked for.
  std::vector<double> upper;
};

/// Predicts blocks of rows. An interval covers the target with its probability; of yes or no it is a band
/// that covers the true probability. Throws as `predict`, `interval_offsets` and `probability_bands`.
class RowPredictor {
 public:
  RowPredictor(const TableModel& fitted, std::optional<double> interval, int threads);

  bool has_intervals() const { return offsets_ || band_; }
  RowPredictions operator()(const MatrixView& x, const std::optional<ColumnView>& known,
                            std::size_t first_row = 0) const;

 private:
  void add_intervals(const MatrixView& x, RowPredictions& rows) const;
  void put_known_part_back(const ColumnView& known, std::vector<double>& values) const;

  const TableModel& fitted_;
  int threads_;
  std::optional<IntervalOffsets> offsets_;
  std::optional<double> band_;  ///< The level of bands of probabilities.
};

}  // namespace kore::table
