#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kore::cli {

/// Throws where the output is a file that is also read, even under another name. "-" is the standard output.
void refuse_input_as_output(const std::string& output, const std::vector<std::string>& inputs);

/// Throws where model and report are the same file.
void refuse_same_output(const std::string& model, const std::string& report);
/// For the name of a file as an option: what is wrong with it, or an empty text.
std::string names_a_file(const std::string& name);

/// Makes a folder and those above it. Throws `io` where that fails.
void make_folder(const std::filesystem::path& folder);

/// What a command writes, as sentences call it, and what a file must be to be replaced by it.
struct OutputKind {
  std::string_view what;        ///< Such as "model".
  std::string_view what_it_is;  ///< Such as "a KORE model".
  bool (*may_replace)(const std::filesystem::path& file);
};
/// Throws, before long work, where its result could not be saved: the path cannot be written, or it is a file
/// of another kind that would be lost.
void check_place(const std::string& output, const OutputKind& kind);

/// Throws, before a long fit, where its model could not be saved: the path cannot be written, or it is a file
/// that is not a model and would be lost.
void check_model_place(const std::string& output);

}  // namespace kore::cli
