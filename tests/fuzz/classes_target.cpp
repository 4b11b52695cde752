// A file of a model that tells classes apart.
#include "fuzz/consumers.hpp"
#include "kore/class_model.hpp"
#include "story/classes.hpp"

namespace kore::fuzz {
namespace {

void use_classes(const table::ClassModel& model, Share share) {
  if (share.one_in(4)) story::describe(model);
  if (share.one_in(4)) story::class_json(model).dump();
  const std::size_t features = model.models.front().encoding.features.size();
  const std::vector<double> points(2 * features, 0.5);
  allow_refusal([&] { table::predict_classes(model, MatrixView::column_major(points, 2, features)); });
  use(table::model_of_class(model, model.classes.back()), share);
  if (share.one_in(2)) expect_same_again(to_bytes(model), table::class_model_from_bytes);
}

}  // namespace

bool run_classes(Given bytes) {
  if (!table::holds_classes(bytes)) return false;
  return allow_refusal([&] { use_classes(table::class_model_from_bytes(bytes), Share(bytes)); });
}

}  // namespace kore::fuzz
