#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "experiments/statistics/grid.hpp"
#include "experiments/table.hpp"

/// Many methods on many data sets: what one table of cells says about them.
namespace kore::experiments {

/// One method on one split of one data set.
struct MethodCell {
  std::string dataset;
  std::string method;
  std::string family;
  std::uint64_t seed = 0;
  double train_rows = 0;
  double features = 0;  ///< After dummies.
  double rmse = 0;
  double mae = 0;
  double r2 = 0;
  double nrmse = 0;  ///< Over the standard deviation of the training target.
  double fits = 0;
  double seconds = 0;
  bool used_defaults = false;  ///< No trial of the search was finished.
  bool used_constant = false;  ///< The method failed, and the mean of the training target predicted.
  double peak_megabytes = std::numeric_limits<double>::quiet_NaN();  ///< NaN where it was not measured.
};

/// Throws `invalid_data` where a column is missing, a number is none, or a cell stands there twice.
std::vector<MethodCell> method_cells(const Table& table);

/// Compute-Normalised Lift over a baseline, by default ordinary least squares:
/// max(0, max(0, R2) - max(0, R2 of the baseline)) / (1 + seconds)^alpha.
double lift(double r2, double baseline_r2, double seconds, double alpha);

/// Of every cell, with the baseline of the same data set and seed. Throws `invalid_data` where there is none.
std::vector<double> lifts(const std::vector<MethodCell>& cells, const std::string& baseline, double alpha);

/// Medians over seeds: a row per data set, a column per method, both in alphabetical order. NaN where a
/// method has not all the seeds that others have on a data set: medians over other splits are not comparable.
struct Panel {
  std::vector<std::string> datasets;
  std::vector<std::string> methods;
  Grid values;

  std::size_t method(const std::string& name) const;  ///< `methods.size()` where there is none.
  bool has(const std::string& name) const { return method(name) < methods.size(); }
  double at(const std::string& dataset, const std::string& name) const;  ///< NaN where there is none.
};
Panel median_panel(const std::vector<MethodCell>& cells, const std::vector<double>& values);
Panel median_panel(const std::vector<MethodCell>& cells, double MethodCell::*field);

/// The same without the methods that have a gap.
Panel complete_part(const Panel& panel);
std::vector<std::string> incomplete_methods(const Panel& panel);
/// The rows of some data sets.
Panel restricted_to(const Panel& panel, const std::function<bool(const std::string&)>& keep);

/// Methods in the order of their first cell.
std::vector<std::string> methods_in_order(const std::vector<MethodCell>& cells);
std::string structure_of(const std::vector<MethodCell>& cells, const std::string& method);

}  // namespace kore::experiments
