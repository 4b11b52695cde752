#include "cli/model_argument.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "base/atomic_file.hpp"
#include "kore/error.hpp"

namespace kore::cli {

void add_model(CLI::App& command, ModelArgument& argument) {
  command.add_option("MODEL", argument.file, "A model saved by 'kore fit -o'")->required();
  add_class(command, argument.class_name);
}

void add_class(CLI::App& command, std::string& class_name) {
  command.add_option("--class", class_name,
                     "Of a model that tells classes apart: the class whose model is meant");
}

std::optional<table::ClassModel> load_classes(const std::string& file) {
  if (!table::holds_classes(read_file(file))) return std::nullopt;
  return table::load_class_model(file);
}

table::TableModel load(const ModelArgument& argument) {
  const std::optional<table::ClassModel> classes = load_classes(argument.file);
  if (!classes) {
    table::TableModel model = table::load_table_model(argument.file);
    if (!argument.class_name.empty())
      throw Error(ErrorCode::invalid_argument, "no_classes",
                  "--class {class} is about a model that tells classes apart, and '{file}' is not one.",
                  {{"class", argument.class_name}, {"file", argument.file}});
    return model;
  }
  if (argument.class_name.empty())
    throw Error(
        ErrorCode::invalid_argument, "class_not_named",
        "The model '{file}' tells {number} classes apart and has a model for each. Say which one with "
        "--class: {classes}.",
        {{"file", argument.file},
         {"number", classes->classes.size()},
         {"classes", fmt::format("{}", fmt::join(classes->classes, ", "))}});
  return table::model_of_class(*classes, argument.class_name);
}

}  // namespace kore::cli
