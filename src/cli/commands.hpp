#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kore::story {}

namespace kore::cli {

// The text and JSON that all fronts share.
using namespace story;

// Each command adds itself, its options and an example to the application; it runs when its name was given.
void add_fit(CLI::App& app);
void add_predict(CLI::App& app);
void add_explain(CLI::App& app);
void add_diagnose(CLI::App& app);
void add_compare(CLI::App& app);
void add_effects(CLI::App& app);
void add_info(CLI::App& app);
void add_report(CLI::App& app);
void add_export(CLI::App& app);
void add_example(CLI::App& app);
void add_completion(CLI::App& app);

/// What `kore example` has, as a person types it.
std::vector<std::string> example_names();

}  // namespace kore::cli
