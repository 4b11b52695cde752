// A file of a model that tells classes apart.
#include <optional>

#include "fuzz/consumers.hpp"
#include "fuzz/uses.hpp"
#include "kore/class_model.hpp"
#include "story/classes.hpp"

namespace kore::fuzz {
namespace {

void use_classes(const table::ClassModel& model, Share share) {
  if (share.one_in(4)) consume("summary of classes", [&] { story::describe(model); });
  if (share.one_in(4)) consume("summary of classes as JSON", [&] { story::class_json(model).dump(); });
  const std::size_t features = model.models.front().encoding.features.size();
  const std::vector<double> points(2 * features, 0.5);
  consume("predictions of classes",
          [&] { table::predict_classes(model, MatrixView::column_major(points, 2, features)); });
  use(table::model_of_class(model, model.classes.back()), share);
  if (!share.one_in(2)) return;
  expect_same_again(to_bytes(model), table::class_model_from_bytes);
  count_use("written and read again, of classes", true);
}

}  // namespace

bool run_classes(Given bytes) {
  if (!table::holds_classes(bytes)) return false;
  std::optional<table::ClassModel> model;
  if (!allow_refusal([&] { model = table::class_model_from_bytes(bytes); })) return false;
  use_classes(*model, Share(bytes));
  return true;
}

}  // namespace kore::fuzz
