#pragma once

#include <cstddef>
#include <vector>

#include "kore/model.hpp"
#include "kore/rows.hpp"
#include "report/observed.hpp"

namespace kore::report {

/// Evenly spaced rows of a longer table, some thousands at most, and how many there were in all. The same
/// table gives the same rows.
class PlottedRows {
 public:
  explicit PlottedRows(const std::vector<Feature>& features)
      : features_(features), columns_(features.size()) {}

  void add(const RowBlock& block);

  std::size_t rows() const { return rows_; }
  double weight_sum() const { return weight_; }
  MatrixView x() const;
  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& column(std::size_t j) const { return columns_[j]; }

 private:
  void thin();

  std::vector<Feature> features_;
  std::vector<std::vector<double>> columns_;
  std::vector<double> y_;
  std::size_t rows_ = 0;
  double weight_ = 0;
  std::size_t step_ = 1;
};

/// Where a value of a feature is drawn: one of a cyclic feature within its period.
double place_of(const Feature& feature, double value);

/// Terms whose values in these rows are strongly correlated, the strongest first. The data hardly determine
/// how the variance is shared between them.
std::vector<Overlap> overlaps(const Decomposition& shown, const PlottedRows& sample);

/// Features with an absolute correlation above 0.99 in these rows, categories aside, the strongest first.
std::vector<NearEqual> near_equal(const std::vector<Feature>& features, const PlottedRows& sample);

}  // namespace kore::report
