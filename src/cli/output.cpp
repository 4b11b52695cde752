#include "cli/output.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>

#include "base/atomic_file.hpp"
#include "kore/class_model.hpp"
#include "kore/error.hpp"

namespace kore::cli {
namespace {

namespace fs = std::filesystem;

/// Models begin with these letters (see docs/architecture.md). An empty file may be replaced.
bool may_be_replaced(const fs::path& path) {
  std::array<char, 4> letters{};
  std::ifstream file(path, std::ios::binary);
  file.read(letters.data(), letters.size());
  return file.gcount() == 0 || std::string_view(letters.data(), letters.size()) == "KORE" ||
         table::holds_classes(std::as_bytes(std::span(letters)));
}

}  // namespace

void refuse_input_as_output(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code failure;
  if (output.empty() || output == "-" || !fs::is_regular_file(output, failure)) return;
  for (const std::string& input : inputs)
    if (fs::equivalent(output, input, failure) && !failure)
      throw Error(ErrorCode::invalid_argument, "output_is_input",
                  input == output
                      ? "The output '{output}' is a file that is read, and would be written over. Give the "
                        "output another name."
                      : "The output '{output}' is a file that is read (as '{input}'), and would be written "
                        "over. Give the output another name.",
                  {{"output", output}, {"input", input}});
}

void refuse_same_output(const std::string& model, const std::string& report) {
  if (model.empty() || report.empty()) return;
  std::error_code failure;
  const auto place = [&failure](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path), failure);
  };
  const bool same = place(model) == place(report);
  if (same || (fs::equivalent(model, report, failure) && !failure))
    throw Error(
        ErrorCode::invalid_argument, "one_place_for_two_outputs",
        "Model and report cannot both be written to '{output}': one would replace the other. Give one of "
        "them another name.",
        {{"output", report}});
}

std::string names_a_file(const std::string& name) {
  return name.empty() ? "it must name a file, and got an empty text" : "";
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error(ErrorCode::io, "cannot_make_folder", "Cannot make the folder '{folder}': {cause}.",
                {{"folder", folder.string()}, {"cause", failure.message()}});
}

void check_place(const std::string& output, const OutputKind& kind) {
  const fs::path folder = fs::absolute(output).parent_path();
  const std::vector<Argument> arguments{
      {"what", kind.what}, {"kind", kind.what_it_is}, {"output", output}, {"folder", folder.string()}};
  std::error_code failure;
  if (fs::is_directory(output, failure))
    throw Error(ErrorCode::io, "output_is_folder", "Cannot write the {what} to '{output}': it is a folder.",
                arguments);
  if (!fs::is_directory(folder, failure))
    throw Error(ErrorCode::io, "no_output_folder",
                "Cannot write the {what} to '{output}': there is no folder '{folder}'.", arguments);
  if (fs::is_regular_file(output, failure) && !kind.may_replace(output))
    throw Error(ErrorCode::invalid_argument, "output_would_replace",
                "The file '{output}' exists and is not {kind}, so that it is not replaced. Give the {what} "
                "another name, or remove the file.",
                arguments);
  const PendingFile probe(output);
}

void check_model_place(const std::string& output) {
  if (!output.empty()) check_place(output, {"model", "a KORE model", may_be_replaced});
}

}  // namespace kore::cli
