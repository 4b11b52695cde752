#include "c_interface/predictions.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "c_interface/target.hpp"
#include "kore/decomposition.hpp"
#include "kore/error.hpp"
#include "kore/model.hpp"
#include "story/accuracy.hpp"
#include "story/effect_grid.hpp"
#include "story/explanation.hpp"
#include "story/far_rows.hpp"
#include "table/encode_frame.hpp"
#include "table/predict_rows.hpp"

namespace kore::c_interface {
namespace {

using arrow::NamedNumbers;
using table::ClassModel;
using table::Frame;
using table::TableModel;

/// The exposures or offsets of the rows, where the model and the table have them; a row without one counts as
/// one unit, or as no offset.
std::optional<std::vector<double>> known_part(const TableModel& fitted, const Frame& frame) {
  const std::string& name = table::known_column(fitted.facts);
  const auto column = std::ranges::find(frame.columns, name, &table::Column::name);
  if (name.empty() || column == frame.columns.end()) return std::nullopt;
  std::vector<double> known = numbers_of(*column, frame.rows);
  for (double& value : known)
    if (std::isnan(value)) value = table::usual_known_part(fitted.facts);
  return known;
}

/// What a known part adds to the sum of terms: nothing where the target is on another scale than its offset.
double on_link(const TableModel& fitted, double known) {
  const table::FitFacts& facts = fitted.facts;
  if (facts.offset.empty()) return std::log(known);
  const bool scaled =
      facts.offset_use == table::OffsetUse::subtracted && fitted.model.target_scale != TargetScale::identity;
  return scaled ? 0 : known;
}

std::vector<std::string> warnings_of(const TableModel& fitted, const table::EncodedFrame& encoded, bool known,
                                     const std::optional<double>& interval) {
  std::vector<std::string> warnings;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) warnings.push_back(sentence);
  };
  if (!known) add(table::missing_known_part(fitted.facts));
  for (const Message& warning : table::encode_warnings(fitted.encoding, encoded.counts))
    add(warning.sentence());
  story::FarRows far(fitted);
  far.add(encoded.x);
  add(far.warning());
  if (interval && fitted.model.family != "binomial") add(story::interval_warning(fitted.model, *interval));
  return warnings;
}

/// The predictions of rows with everything that was asked for, column by column.
class Columns {
 public:
  Columns(const TableModel& fitted, const table::EncodedFrame& encoded,
          const std::optional<std::vector<double>>& known, const PredictRequest& request)
      : fitted_(fitted),
        x_(encoded.x),
        request_(request),
        threads_(resolve_threads(request.threads)),
        known_(known),
        shown_(request.raw ? as_fitted(fitted.model) : decomposition(fitted.model)) {
    add_predictions();
    if (request.band || request.link || request.terms || request.explain)
      explained_ = explain(fitted.model, shown_, x_, threads_);
    if (request.band) add_band();
    if (request.outside) {
      const std::vector<std::size_t> counts = outside_count(fitted.model, x_);
      add("outside", {counts.begin(), counts.end()});
    }
    if (request.link || request.terms) add("eta", request.link ? with_known_part() : explained_.sums);
    if (request.errors) add("eta_error", predictor_errors(fitted.model, x_, threads_));
    if (request.explain) add_explanation();
    if (request.terms)
      for (std::size_t t = 0; t < shown_.terms.size(); ++t)
        add(story::term_name(shown_, t), explained_.contributions[t]);
  }
  std::vector<NamedNumbers> take() && { return std::move(columns_); }

 private:
  void add(std::string name, std::vector<double> values) {
    columns_.push_back({std::move(name), std::move(values)});
  }

  void add_predictions() {
    std::optional<ColumnView> known;
    if (known_) known = ColumnView(known_->data(), 1);
    table::RowPredictions rows = table::RowPredictor(fitted_, request_.interval, threads_)(x_, known);
    add("prediction", std::move(rows.prediction));
    if (!request_.interval) return;
    add("lower", std::move(rows.lower));
    add("upper", std::move(rows.upper));
  }

  /// Around the mean of the target, so many standard errors on the scale of the fit.
  void add_band() {
    const double width = errors_of_level(*request_.band);
    const std::vector<double> errors = predictor_errors(fitted_.model, x_, threads_);
    for (const double side : {-1.0, 1.0}) {
      std::vector<double> ends;
      for (std::size_t r = 0; r < errors.size(); ++r) {
        const double eta = explained_.sums[r] + side * width * errors[r];
        const double end = std::isnan(eta) ? eta : carried_prediction(fitted_.model, eta);
        ends.push_back(known_ ? table::with_known_part(fitted_.facts, end, (*known_)[r]) : end);
      }
      add(side < 0 ? "band_lower" : "band_upper", std::move(ends));
    }
  }

  std::vector<double> with_known_part() const {
    std::vector<double> sums = explained_.sums;
    if (known_)
      for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += on_link(fitted_, (*known_)[r]);
    return sums;
  }

  void add_explanation() {
    const std::vector<std::string> names = story::explanation_columns(shown_);
    add(names[1], explained_.sums);
    add(names[2], std::vector<double>(explained_.sums.size(), explained_.constant));
    for (std::size_t t = 0; t < shown_.terms.size(); ++t) add(names[3 + t], explained_.contributions[t]);
  }

  const TableModel& fitted_;
  const MatrixView& x_;
  const PredictRequest& request_;
  int threads_;
  const std::optional<std::vector<double>>& known_;
  Decomposition shown_;
  Explanation explained_;
  std::vector<NamedNumbers> columns_;
};

Predictions of_one(const TableModel& fitted, const Frame& frame, const PredictRequest& request) {
  const table::EncodedFrame encoded = table::encode(frame, fitted.encoding);
  const std::optional<std::vector<double>> known = known_part(fitted, frame);
  return {Columns(fitted, encoded, known, request).take(),
          warnings_of(fitted, encoded, known.has_value(), request.interval)};
}

/// The most probable class of each row.
std::vector<double> most_probable(const std::vector<std::vector<double>>& probabilities) {
  std::vector<double> best(probabilities.front().size());
  for (std::size_t r = 0; r < best.size(); ++r) {
    std::size_t highest = 0;
    for (std::size_t k = 1; k < probabilities.size(); ++k)
      if (probabilities[k][r] > probabilities[highest][r]) highest = k;
    best[r] = static_cast<double>(highest);
  }
  return best;
}

Predictions of_classes(const ClassModel& model, const Frame& frame, const PredictRequest& request) {
  if (request.interval || request.band || request.errors || request.link || request.terms || request.explain)
    throw Error(ErrorCode::invalid_argument, "only_probabilities_of_classes",
                "A model that tells classes apart predicts the probability of each, and nothing else. The "
                "model of one class has the rest; take it with kore_class.");
  const TableModel& first = model.models.front();
  const table::EncodedFrame encoded = table::encode(frame, first.encoding);
  std::vector<std::vector<double>> probabilities =
      predict_classes(model, encoded.x, resolve_threads(request.threads));
  Predictions found;
  found.columns.push_back({"class", most_probable(probabilities)});
  for (std::size_t k = 0; k < model.classes.size(); ++k)
    found.columns.push_back({"probability:" + model.classes[k], std::move(probabilities[k])});
  if (request.outside) {
    const std::vector<std::size_t> counts = outside_count(first.model, encoded.x);
    found.columns.push_back({"outside", {counts.begin(), counts.end()}});
  }
  found.warnings = warnings_of(first, encoded, true, std::nullopt);
  return found;
}

}  // namespace

Predictions predictions(const AnyModel& model, const Frame& frame, const PredictRequest& request) {
  if (const auto* classes = std::get_if<ClassModel>(&model)) return of_classes(*classes, frame, request);
  return of_one(std::get<TableModel>(model), frame, request);
}

}  // namespace kore::c_interface
