// A model file in memory, of bare arrays or of a table.
#include "fuzz/consumers.hpp"
#include "fuzz/targets.hpp"

namespace kore::fuzz {

bool run_model(Given bytes) {
  const bool accepted = allow_refusal([&] { use(model_from_bytes(bytes), Share(bytes)); });
  if (accepted) allow_refusal([&] { use(table::table_model_from_bytes(bytes), Share(bytes)); });
  return accepted;
}

}  // namespace kore::fuzz
