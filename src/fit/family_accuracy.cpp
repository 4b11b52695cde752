#include "fit/family_accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kore {

bool has_link(const Response& response) {
  // The robust response is iterated too, but its mean is its predictor.
  return !response.fits_in_one_step() && response.mean(1) != 1;
}

double area_under_roc(const HeldOut& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return rows.prediction[r]; });
  double no = 0;
  double yes = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < order.size();) {
    double tied_no = 0;
    double tied_yes = 0;
    const double prediction = rows.prediction[order[i]];
    for (; i < order.size() && rows.prediction[order[i]] == prediction; ++i) {
      tied_yes += rows.weight[order[i]] * rows.target[order[i]];
      tied_no += rows.weight[order[i]] * (1 - rows.target[order[i]]);
    }
    pairs += tied_yes * (no + tied_no / 2);
    no += tied_no;
    yes += tied_yes;
  }
  return pairs / (yes * no);
}

FamilyAccuracy family_accuracy(const HeldOut& rows, const Response& response) {
  FamilyAccuracy accuracy;
  const double weight = std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0);
  double mean = 0;
  std::vector<double> predictor;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    mean += rows.weight[r] * rows.target[r] / weight;
    predictor.push_back(response.link(rows.prediction[r]));
  }
  WorkingMemory memory;
  const WorkingRows working = response.working_rows(rows.target, {}, predictor, memory);
  double squares = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double share = rows.weight[r] / weight;
    accuracy.deviance += share * response.loss(rows.target[r], predictor[r]);
    accuracy.null_deviance += share * response.loss(rows.target[r], response.link(mean));
    accuracy.dispersion += share * working.weights[r] * std::pow(working.target[r] - predictor[r], 2);
    squares += share * std::pow(rows.target[r] - rows.prediction[r], 2);
  }
  if (response.known_dispersion()) accuracy.dispersion /= *response.known_dispersion();
  if (response.name() != binomial_response().name()) return accuracy;
  accuracy.log_loss = accuracy.deviance / 2;
  accuracy.brier = squares;
  accuracy.auc = area_under_roc(rows);
  return accuracy;
}

}  // namespace kore
