#include "cli/experiments.hpp"

namespace kore::cli {

void add_experiment_commands(CLI::App& /*app*/) {}

}  // namespace kore::cli
