#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kore::cli {

/// Refuses to write over a file that is also read, whatever name either goes by. "-" is the standard output.
void refuse_input_as_output(const std::string& output, const std::vector<std::string>& inputs);

/// Makes a folder and those above it. Throws `io` where that fails.
void make_folder(const std::filesystem::path& folder);

/// What a command writes, as sentences call it, and what a file must be to be replaced by it.
struct OutputKind {
  std::string_view what;        ///< Such as "model".
  std::string_view what_it_is;  ///< Such as "a KORE model".
  bool (*may_replace)(const std::filesystem::path& file);
};
/// Finds out before long work that its result could not be saved: the place cannot be written, or holds
/// something else that would be lost.
void check_place(const std::string& output, const OutputKind& kind);

/// Finds out before a long fit that its model could not be saved: the place cannot be written, or holds
/// something that is not a model and would be lost.
void check_model_place(const std::string& output);

}  // namespace kore::cli
