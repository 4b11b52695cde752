#include "kore/response.hpp"

#include <cmath>

#include "kore/error.hpp"
#include "response/log_link.hpp"
#include "response/robust.hpp"

namespace kore {

PredictorLimits Response::limits(const SeenTargets& seen) const {
  constexpr double widening = 0.5;
  const double reach = widening * (seen.highest - seen.lowest);
  return {seen.lowest - reach, seen.highest + reach};
}

const Response* find_response(std::string_view name) {
  for (const Response* response :
       {&normal_response(), &binomial_response(), &poisson_response(), &gamma_response()})
    if (response->name() == name) return response;
  return nullptr;
}

std::shared_ptr<const Response> response_with(std::string_view name, double parameter) {
  const bool positive = parameter > 0 && std::isfinite(parameter);
  if (name == "robust") return positive ? std::make_shared<RobustResponse>(parameter) : nullptr;
  if (name == "negative_binomial") return positive ? negative_binomial_with(parameter) : nullptr;
  if (name == poisson_response().name() && parameter != 0)
    return positive ? poisson_with_dispersion(parameter) : nullptr;
  // Responses without a parameter live as long as the program.
  return {find_response(name), [](const Response*) {}};
}

WorkingBlock working_block(const RowBlock& block, const Response& response, WorkingMemory& memory) {
  if (!response.fits_in_one_step())
    throw Error(ErrorCode::invalid_argument, "response_needs_predictor",
                "The working rows of the response '{name}' need a linear predictor.",
                {{"name", response.name()}});
  const WorkingRows rows = response.working_rows(block.y, block.weights, {}, memory);
  return {block.x, rows.target, rows.weights, block.weights};
}

WorkingBlock working_block(const RowBlock& block) {
  WorkingMemory none;
  return working_block(block, normal_response(), none);
}

}  // namespace kore
