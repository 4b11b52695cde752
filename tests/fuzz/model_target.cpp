// A model file in memory, of bare arrays or of a table.
#include "fuzz/consumers.hpp"
#include "fuzz/targets.hpp"

namespace kore::fuzz {

bool run_model(Given bytes) {
  const bool of_table = allow_refusal([&] {
    const table::TableModel fitted = table::table_model_from_bytes(bytes);
    use(fitted.model, Share(bytes));
    use(fitted, Share(bytes));
  });
  return of_table || allow_refusal([&] { use(model_from_bytes(bytes), Share(bytes)); });
}

}  // namespace kore::fuzz
