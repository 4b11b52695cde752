#include "cli/output.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/atomic_file.hpp"
#include "kore/error.hpp"

namespace kore::cli {
namespace {

namespace fs = std::filesystem;

/// Models begin with these letters (see docs/architecture.md). An empty file has nothing to lose.
bool may_be_replaced(const fs::path& path) {
  std::array<char, 4> letters{};
  std::ifstream file(path, std::ios::binary);
  file.read(letters.data(), letters.size());
  return file.gcount() == 0 || std::string_view(letters.data(), letters.size()) == "KORE";
}

}  // namespace

void refuse_input_as_output(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code failure;
  if (output.empty() || output == "-" || !fs::is_regular_file(output, failure)) return;
  for (const std::string& input : inputs)
    if (fs::equivalent(output, input, failure) && !failure)
      throw Error(ErrorCode::invalid_argument,
                  "The output '" + output + "' is a file that is read" +
                      (input == output ? "" : " (as '" + input + "')") +
                      ", and would be written over. Give the output another name.");
}

void check_model_place(const std::string& output) {
  if (output.empty()) return;
  const fs::path folder = fs::absolute(output).parent_path();
  std::error_code failure;
  if (fs::is_directory(output, failure))
    throw Error(ErrorCode::io, "Cannot write the model to '" + output + "': it is a folder.");
  if (!fs::is_directory(folder, failure))
    throw Error(ErrorCode::io,
                "Cannot write the model to '" + output + "': there is no folder '" + folder.string() + "'.");
  if (fs::is_regular_file(output, failure) && !may_be_replaced(output))
    throw Error(ErrorCode::invalid_argument,
                "The file '" + output +
                    "' exists and is not a KORE model, so that it is not replaced. Give the model another "
                    "name, or remove the file.");
  const PendingFile probe(output);
}

}  // namespace kore::cli
