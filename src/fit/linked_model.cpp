#include "fit/linked_model.hpp"

#include <limits>

#include "fit/grown_summary.hpp"
#include "fit/unpenalised_model.hpp"

namespace kore {

Model model_without_features(const GrowingRows& rows, const RowSource& source, const Options& options,
                             const Names& names) {
  if (!rows.linked()) return mean_model(source, rows.data(), options, names);
  Model model = constant_model(rows.data(), options, names);
  model.intercept = rows.growing().constant_predictor;
  model.family = rows.response().name();
  model.family_parameter = rows.response().parameter();
  const Convergence convergence = *model.summary.convergence;
  record_survey(rows, model.summary);
  record_constant(rows, convergence, options, model.summary);
  return model;
}

Range linked_limits(const GrowingRows& rows, bool limited) {
  const Response& response = rows.response();
  if (!limited)
    return {response.mean(-std::numeric_limits<double>::max()),
            response.mean(std::numeric_limits<double>::max())};
  const Survey& data = rows.data();
  const PredictorLimits limits =
      response.limits({data.target.lowest, data.target.highest, data.target_mean, data.weight_sum});
  return {response.mean(limits.lowest), response.mean(limits.highest)};
}

}  // namespace kore
