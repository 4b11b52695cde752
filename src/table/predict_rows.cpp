#include "table/predict_rows.hpp"

#include <fmt/format.h>

#include <cmath>

namespace kore::table {

const std::string& known_column(const FitFacts& facts) {
  return facts.offset.empty() ? facts.exposure : facts.offset;
}

double usual_known_part(const FitFacts& facts) { return facts.offset.empty() ? 1 : 0; }

double with_known_part(const FitFacts& facts, double prediction, double known) {
  if (facts.offset.empty()) return prediction * known;
  return facts.offset_use == OffsetUse::subtracted ? prediction + known : prediction * std::exp(known);
}

std::string missing_known_part(const FitFacts& facts) {
  if (known_column(facts).empty()) return {};
  return fmt::format("The table has no column '{}', so that predictions are {}.", known_column(facts),
                     facts.offset.empty() ? fmt::format("rates per unit of '{}'", facts.exposure)
                                          : "those of an offset of 0");
}

RowPredictor::RowPredictor(const TableModel& fitted, std::optional<double> interval, int threads)
    : fitted_(fitted), threads_(threads) {
  if (interval && fitted.model.family == "binomial")
    band_ = interval;
  else if (interval)
    offsets_ = interval_offsets(fitted.model, *interval);
}

void RowPredictor::add_intervals(const MatrixView& x, RowPredictions& rows) const {
  const std::vector<double> wider = widening(fitted_.model, x);
  for (std::size_t r = 0; r < wider.size(); ++r) {
    const TargetInterval interval = interval_around(fitted_.model, *offsets_, rows.prediction[r], wider[r]);
    rows.lower.push_back(interval.lower);
    rows.upper.push_back(interval.upper);
  }
}

void RowPredictor::put_known_part_back(const ColumnView& known, std::vector<double>& values) const {
  for (std::size_t r = 0; r < values.size(); ++r)
    values[r] = with_known_part(fitted_.facts, values[r], known[r]);
}

RowPredictions RowPredictor::operator()(const MatrixView& x, const std::optional<ColumnView>& known,
                                        std::size_t first_row) const {
  RowPredictions rows;
  rows.prediction.resize(x.rows());
  predict(fitted_.model, x, rows.prediction, threads_, first_row);
  // The interval of a count depends on its exposure; other known parts move intervals as they are.
  const bool counts = known && !fitted_.facts.exposure.empty();
  if (offsets_ && !counts) add_intervals(x, rows);
  if (known)
    for (std::vector<double>* values : {&rows.prediction, &rows.lower, &rows.upper})
      put_known_part_back(*known, *values);
  if (offsets_ && counts) add_intervals(x, rows);
  if (band_) {
    ProbabilityBands bands = probability_bands(fitted_.model, x, *band_, threads_);
    rows.lower = std::move(bands.lower);
    rows.upper = std::move(bands.upper);
  }
  return rows;
}

}  // namespace kore::table
