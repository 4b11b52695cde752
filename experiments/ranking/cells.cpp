#include "experiments/ranking/cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "experiments/averages.hpp"
#include "kore/error.hpp"

namespace kore::experiments {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double known_number(const Table& table, std::size_t row, const char* column) {
  const double value = table.number(row, column);
  if (!std::isfinite(value))
    throw Error(ErrorCode::invalid_data, "In the table of cells, row " + std::to_string(row) +
                                             " (counted from 0) has no number in '" + column + "'.");
  return value;
}

bool truth(const Table& table, std::size_t row, const char* column) {
  const std::string& text = table.text(row, column);
  if (text == "True" || text == "true" || text == "1") return true;
  if (text == "False" || text == "false" || text == "0") return false;
  throw Error(ErrorCode::invalid_data, "In the column '" + std::string(column) + "', row " +
                                           std::to_string(row) + " (counted from 0): '" + text +
                                           "' is neither True nor False.");
}

MethodCell read_cell(const Table& table, std::size_t row) {
  MethodCell cell;
  cell.dataset = table.text(row, "dataset");
  cell.method = table.text(row, "method");
  cell.family = table.text(row, "family");
  cell.seed = static_cast<std::uint64_t>(known_number(table, row, "seed"));
  cell.train_rows = known_number(table, row, "n_train");
  cell.features = known_number(table, row, "d");
  cell.rmse = known_number(table, row, "rmse_test");
  cell.mae = known_number(table, row, "mae_test");
  cell.r2 = known_number(table, row, "r2_test");
  cell.nrmse = known_number(table, row, "nrmse_test");
  cell.fits = known_number(table, row, "n_fits");
  cell.seconds = known_number(table, row, "fit_time_s");
  cell.used_defaults = truth(table, row, "used_defaults");
  cell.used_constant = truth(table, row, "used_constant_predictor");
  if (table.has("rss_peak_mb")) cell.peak_megabytes = table.number(row, "rss_peak_mb");
  return cell;
}

std::vector<std::string> sorted_names(const std::vector<MethodCell>& cells, std::string MethodCell::*field) {
  std::set<std::string> names;
  for (const MethodCell& cell : cells) names.insert(cell.*field);
  return {names.begin(), names.end()};
}

std::size_t place_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

bool is_complete(const Panel& panel, std::size_t method) {
  for (std::size_t r = 0; r < panel.datasets.size(); ++r)
    if (std::isnan(panel.values.at(r, method))) return false;
  return true;
}

}  // namespace

std::vector<MethodCell> method_cells(const Table& table) {
  std::vector<MethodCell> cells;
  std::set<std::tuple<std::string, std::string, std::uint64_t>> known;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    cells.push_back(read_cell(table, row));
    const MethodCell& cell = cells.back();
    if (!known.emplace(cell.dataset, cell.method, cell.seed).second)
      throw Error(ErrorCode::invalid_data, "The cell of '" + cell.method + "' on '" + cell.dataset +
                                               "' with seed " + std::to_string(cell.seed) +
                                               " is in the table twice.");
  }
  if (cells.empty()) throw Error(ErrorCode::invalid_data, "The table has no cells.");
  return cells;
}

double lift(double r2, double baseline_r2, double seconds, double alpha) {
  return std::max(0.0, std::max(0.0, r2) - std::max(0.0, baseline_r2)) / std::pow(1 + seconds, alpha);
}

std::vector<double> lifts(const std::vector<MethodCell>& cells, const std::string& baseline, double alpha) {
  std::map<std::pair<std::string, std::uint64_t>, double> r2;
  for (const MethodCell& cell : cells)
    if (cell.method == baseline) r2[{cell.dataset, cell.seed}] = cell.r2;
  std::vector<double> result;
  for (const MethodCell& cell : cells) {
    const auto found = r2.find({cell.dataset, cell.seed});
    if (found == r2.end())
      throw Error(ErrorCode::invalid_data, "There is no cell of the baseline '" + baseline + "' on '" +
                                               cell.dataset + "' with seed " + std::to_string(cell.seed) +
                                               ", which the lift is measured from.");
    result.push_back(lift(cell.r2, found->second, cell.seconds, alpha));
  }
  return result;
}

std::size_t Panel::method(const std::string& name) const { return place_of(methods, name); }

double Panel::at(const std::string& dataset, const std::string& name) const {
  const std::size_t row = place_of(datasets, dataset);
  return row < datasets.size() && has(name) ? values.at(row, method(name)) : nan;
}

Panel median_panel(const std::vector<MethodCell>& cells, const std::vector<double>& values) {
  std::vector<std::string> datasets = sorted_names(cells, &MethodCell::dataset);
  std::vector<std::string> methods = sorted_names(cells, &MethodCell::method);
  std::vector<std::vector<double>> by_place(datasets.size() * methods.size());
  std::vector<std::set<std::uint64_t>> seeds(datasets.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t row = place_of(datasets, cells[i].dataset);
    by_place[row * methods.size() + place_of(methods, cells[i].method)].push_back(values[i]);
    seeds[row].insert(cells[i].seed);
  }
  Grid medians(datasets.size(), methods.size());
  for (std::size_t i = 0; i < by_place.size(); ++i)
    medians.values[i] = by_place[i].size() == seeds[i / methods.size()].size() ? median(by_place[i]) : nan;
  return {std::move(datasets), std::move(methods), std::move(medians)};
}

Panel median_panel(const std::vector<MethodCell>& cells, double MethodCell::*field) {
  std::vector<double> values;
  for (const MethodCell& cell : cells) values.push_back(cell.*field);
  return median_panel(cells, values);
}

Panel complete_part(const Panel& panel) {
  std::vector<std::size_t> kept;
  for (std::size_t c = 0; c < panel.methods.size(); ++c)
    if (is_complete(panel, c)) kept.push_back(c);
  Panel part{panel.datasets, {}, Grid(panel.datasets.size(), kept.size())};
  for (std::size_t c = 0; c < kept.size(); ++c) {
    part.methods.push_back(panel.methods[kept[c]]);
    for (std::size_t r = 0; r < panel.datasets.size(); ++r)
      part.values.at(r, c) = panel.values.at(r, kept[c]);
  }
  return part;
}

std::vector<std::string> incomplete_methods(const Panel& panel) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < panel.methods.size(); ++c)
    if (!is_complete(panel, c)) names.push_back(panel.methods[c]);
  return names;
}

Panel restricted_to(const Panel& panel, const std::function<bool(const std::string&)>& keep) {
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < panel.datasets.size(); ++r)
    if (keep(panel.datasets[r])) kept.push_back(r);
  Panel part{{}, panel.methods, Grid(kept.size(), panel.methods.size())};
  for (std::size_t r = 0; r < kept.size(); ++r) {
    part.datasets.push_back(panel.datasets[kept[r]]);
    std::ranges::copy(panel.values.row(kept[r]), part.values.row(r).begin());
  }
  return part;
}

std::vector<std::string> methods_in_order(const std::vector<MethodCell>& cells) {
  std::vector<std::string> names;
  for (const MethodCell& cell : cells)
    if (std::ranges::find(names, cell.method) == names.end()) names.push_back(cell.method);
  return names;
}

std::string structure_of(const std::vector<MethodCell>& cells, const std::string& method) {
  const auto found = std::ranges::find(cells, method, &MethodCell::method);
  return found == cells.end() ? "" : found->family;
}

}  // namespace kore::experiments
