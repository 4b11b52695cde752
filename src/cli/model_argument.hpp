#pragma once

#include <optional>
#include <string>

#include "kore/class_model.hpp"

namespace CLI {
class App;
}

namespace kore::cli {

/// A model on the command line, for commands that look at one model. A file that tells classes apart holds a
/// model for each of them.
struct ModelArgument {
  std::string file;
  std::string class_name;  ///< Empty: the file holds one model.
};

/// Adds MODEL and --class to a command.
void add_model(CLI::App& command, ModelArgument& argument);
/// Adds --class alone.
void add_class(CLI::App& command, std::string& class_name);

/// The model of the file, or of the class in it. Throws where a class is needed and not named, or named where
/// there is none.
table::TableModel load(const ModelArgument& argument);

/// The model of a file that tells classes apart; nothing where it holds one model.
std::optional<table::ClassModel> load_classes(const std::string& file);

}  // namespace kore::cli
