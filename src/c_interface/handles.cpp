#include "c_interface/handles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kore/error.hpp"

namespace kore::c_interface {

kore_model* Handles::add(AnyModel model) {
  auto kept = std::make_shared<const AnyModel>(std::move(model));
  const std::lock_guard lock(mutex_);
  const std::uintptr_t handle = ++last_ * step;
  models_.emplace(handle, std::move(kept));
  return reinterpret_cast<kore_model*>(handle);  // never followed
}

std::shared_ptr<const AnyModel> Handles::find(const kore_model* handle) {
  require(handle, "The model");
  const std::lock_guard lock(mutex_);
  const auto found = models_.find(reinterpret_cast<std::uintptr_t>(handle));
  if (found == models_.end()) throw BadHandle();
  return found->second;
}

bool Handles::remove(const kore_model* handle) {
  const std::lock_guard lock(mutex_);
  return models_.erase(reinterpret_cast<std::uintptr_t>(handle)) > 0;
}

void require(const void* pointer, const char* what) {
  if (pointer == nullptr)
    throw Error(ErrorCode::invalid_argument, "null_pointer", "{what} is a null pointer.", {{"what", what}});
}

const table::TableModel& one_model(const AnyModel& model) {
  if (const auto* one = std::get_if<table::TableModel>(&model)) return *one;
  const auto& classes = std::get<table::ClassModel>(model).classes;
  throw Error(ErrorCode::invalid_argument, "class_not_named",
              "The model tells {number} classes apart and has a model for each. Take one of them with "
              "kore_class: {classes}.",
              {{"number", classes.size()}, {"classes", fmt::format("{}", fmt::join(classes, ", "))}});
}

}  // namespace kore::c_interface
