#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <span>

#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/model_argument.hpp"
#include "cli/name_list.hpp"
#include "cli/output.hpp"
#include "export/export.hpp"
#include "kore/error.hpp"

namespace kore::cli {
namespace {

struct ExportArguments {
  ModelArgument model;
  std::string to;
  std::string output = "-";
  std::string dialect = "duckdb";
  std::string table = "input";
  std::vector<std::string> keep;
  std::string name = "kore_model";
  bool single = false;
};

/// A model of classes as a whole, unless one of them is named.
portable::Portable portable_model(const ModelArgument& argument) {
  if (argument.class_name.empty())
    if (const std::optional<table::ClassModel> classes = load_classes(argument.file))
      return portable::portable_of(*classes);
  return portable::portable_of(load(argument));
}

std::string exported(const ExportArguments& arguments) {
  const portable::Portable model = portable_model(arguments.model);
  if (arguments.to == "json") return portable::to_json(model);
  if (arguments.to == "c") return portable::to_c(model, arguments.name);
  if (arguments.to == "onnx")
    return portable::to_onnx(model,
                             arguments.single ? portable::OnnxNumbers::single : portable::OnnxNumbers::real);
  return portable::to_sql(model, {.dialect = portable::dialect_named(arguments.dialect),
                                  .table = arguments.table,
                                  .keep = names_in(arguments.keep, {})});
}

void run(const ExportArguments& arguments) {
  refuse_input_as_output(arguments.output, {arguments.model.file});
  const std::string text = exported(arguments);
  if (arguments.output != "-") {
    write_atomically(arguments.output, std::as_bytes(std::span(text)));
    return;
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw Error(ErrorCode::io, "cannot_write_output", "The standard output cannot be written.");
}

}  // namespace

void add_export(CLI::App& app) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command =
      app.add_subcommand("export", "Write a saved model as SQL, C, ONNX or JSON, which predict without KORE");
  add_model(*command, arguments->model);
  command
      ->add_option("--to", arguments->to,
                   "sql: one SELECT; c: one file of C99; onnx; json: see docs/export.md")
      ->required()
      ->check(CLI::IsMember({"sql", "c", "onnx", "json"}));
  command->add_option("-o,--output", arguments->output, "A file (default: the standard output)");
  command->add_option("--dialect", arguments->dialect, "Of SQL: duckdb (default), postgres, sqlite or spark")
      ->check(CLI::IsMember({"duckdb", "postgres", "sqlite", "spark"}));
  command->add_option("--table", arguments->table, "SQL: the table to predict (default: input)");
  command
      ->add_option("--keep", arguments->keep,
                   "SQL: columns to repeat in the result (a,b); its rows have no order, so name a key")
      ->allow_extra_args(false);
  command->add_option("--name", arguments->name,
                      "C: what names of functions begin with (default: kore_model)");
  command->add_flag("--float", arguments->single,
                    "ONNX: inputs and the prediction in single precision instead of double");
  command->footer(
      "Example:  kore export cars.kore --to sql --dialect postgres --table cars --keep id -o cars.sql");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace kore::cli
