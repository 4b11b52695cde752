// A model file in memory, of bare arrays or of a table.
#include <optional>

#include "fuzz/consumers.hpp"
#include "fuzz/targets.hpp"

namespace kore::fuzz {

bool run_model(Given bytes) {
  std::optional<table::TableModel> fitted;
  if (allow_refusal([&] { fitted = table::table_model_from_bytes(bytes); })) {
    use(fitted->model, Share(bytes));
    use(*fitted, Share(bytes));
    return true;
  }
  std::optional<Model> bare;
  if (!allow_refusal([&] { bare = model_from_bytes(bytes); })) return false;
  use(*bare, Share(bytes));
  return true;
}

}  // namespace kore::fuzz
