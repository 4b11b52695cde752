#include "kore/response.hpp"

#include "kore/error.hpp"

namespace kore {

const Response* find_response(std::string_view name) {
  for (const Response* response : {&normal_response()})
    if (response->name() == name) return response;
  return nullptr;
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
