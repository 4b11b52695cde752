#pragma once

namespace CLI {
class App;
}

namespace kore::cli {

/// Adds `kore reproduce` and `kore study`, which run the paper's experiments again. The command is built with
/// them only if CMake's KORE_EXPERIMENTS is on; else this adds nothing.
void add_experiment_commands(CLI::App& app);

void add_reproduce(CLI::App& app);
void add_study(CLI::App& app);

}  // namespace kore::cli
