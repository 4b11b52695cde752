#pragma once

#include <string>
#include <vector>

namespace kore::cli {

/// Refuses to write over a file that is also read, whatever name either goes by. "-" is the standard output.
void refuse_input_as_output(const std::string& output, const std::vector<std::string>& inputs);

/// Finds out before a long fit that its model could not be saved: the place cannot be written, or holds
/// something that is not a model and would be lost.
void check_model_place(const std::string& output);

}  // namespace kore::cli
