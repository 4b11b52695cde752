#pragma once

#include <kore/kore.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <variant>

#include "kore/class_model.hpp"
#include "kore/table_model.hpp"

namespace kore::c_interface {

/// One model, or one for each class of a target.
using AnyModel = std::variant<table::TableModel, table::ClassModel>;

struct BadHandle {};

/// The models that callers hold, by number. Numbers are never used twice, so that a handle that was freed
/// stays bad. Threads may share it.
class Handles {
 public:
  kore_model* add(AnyModel model);
  /// Throws `invalid_argument` for a null pointer, and BadHandle.
  std::shared_ptr<const AnyModel> find(const kore_model* handle);
  /// False where there is no such model.
  bool remove(const kore_model* handle);

 private:
  static constexpr std::uintptr_t step = 16;  // looks like an aligned pointer
  std::mutex mutex_;
  std::uintptr_t last_ = 0;
  std::map<std::uintptr_t, std::shared_ptr<const AnyModel>> models_;
};

/// Throws `invalid_argument` for a null pointer; `what` is the subject of the sentence.
void require(const void* pointer, const char* what);

/// The model of numbers, yes and no. Throws `invalid_argument` for a model of classes, which has one of these
/// for each.
const table::TableModel& one_model(const AnyModel& model);

}  // namespace kore::c_interface
