#include "cli/experiments.hpp"

namespace kore::cli {

void add_experiment_commands(CLI::App& app) {
  add_reproduce(app);
  add_study(app);
}

}  // namespace kore::cli
