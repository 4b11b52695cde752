#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "base/system.hpp"
#include "base/unfinished_files.hpp"
#include "cli/commands.hpp"
#include "cli/experiments.hpp"
#include "cli/help.hpp"
#include "cli/words.hpp"
#include "kore/column_choice.hpp"
#include "kore/error.hpp"
#include "kore/version.hpp"
#include "solve/blas.hpp"

namespace kore::cli {
namespace {

constexpr int failure = 1;
constexpr int bad_input = 2;

/// What the input and the request are not to blame for: a full disk, no memory, no threads or descriptors,
/// equations that have no solution.
bool is_failure(const Error& error) {
  constexpr std::array reasons{
      "cannot_write_output", "unwritable_standard_output", "no_room_for_file",    "unwritable_file",
      "rows_not_kept",       "no_room_for_input",          "no_temporary_folder", "out_of_memory_reading",
      "no_more_threads",     "duckdb_not_started",         "no_connection",       "too_few_descriptors"};
  return error.code() == ErrorCode::not_positive_definite ||
         std::ranges::find(reasons, error.reason()) != reasons.end();
}

int complain(const char* sentence, int status) {
  std::fflush(stdout);
  std::fprintf(stderr, "kore: %s\n", sentence);
  return status;
}

// CLI11 would only say that a command is required. Returns the command, or nothing where there is none.
std::string known_command(const CLI::App& app, const std::string& name) {
  if (name.empty() || name.front() == '-') return {};
  std::vector<std::string> names;
  std::string listed;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == name) return name;
    names.push_back(command->get_name());
    listed += (listed.empty() ? "" : ", ") + command->get_name();
  }
  const std::string nearest = table::nearest_name(name, names);
  if (nearest.empty())
    throw Error(ErrorCode::invalid_argument, "unknown_command",
                "There is no command '{command}'. The commands are {commands}.",
                {{"command", name}, {"commands", listed}});
  throw Error(ErrorCode::invalid_argument, "unknown_command",
              "There is no command '{command}'. Did you mean '{nearest}'? The commands are {commands}.",
              {{"command", name}, {"nearest", nearest}, {"commands", listed}});
}

[[noreturn]] void refuse_output() {
  throw Error(ErrorCode::io, "cannot_write_output", "The standard output cannot be written.");
}

int run(int argc, char** argv) {
  CLI::App app("Spline regression that solves for its resolution instead of searching.", "kore");
  app.formatter(std::make_shared<HelpFormatter>());  // before the commands, which inherit it
  app.set_version_flag("--version", version);
  app.set_help_all_flag("--help-all", "Help of every command");
  app.require_subcommand(1);
  app.footer("Example:  kore fit cars.csv --target price -o cars.kore && kore predict cars.kore new.csv");
  for (auto* add : {add_fit, add_predict, add_explain, add_diagnose, add_compare, add_effects, add_info,
                    add_report, add_export, add_example, add_experiment_commands, add_completion})
    add(app);
  const std::string command = argc > 1 ? known_command(app, argv[1]) : std::string();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    if (stop.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      app.exit(stop);
      std::cout.flush();
      if (!std::cout) refuse_output();
      return 0;
    }
    const std::string help = "kore " + (command.empty() ? "" : command + " ") + "--help";
    return complain((std::string(stop.what()) + ". Try '" + help + "'.").c_str(), bad_input);
  }
  if (std::fflush(stdout) != 0) refuse_output();
  return 0;
}

}  // namespace
}  // namespace kore::cli

int main(int argc, char** argv) {
  using kore::cli::complain;
  kore::end_idle_blas_threads();
  // Whatever stood under the name of a file that is being written is untouched in any case: only a whole new
  // file replaces it.
  kore::system::before_ending_by_signal(kore::remove_unfinished_files);
  try {
    return kore::cli::run(argc, argv);
  } catch (const kore::Error& error) {
    return complain(kore::cli::in_words_of_the_command(error.message()).c_str(),
                    kore::cli::is_failure(error) ? kore::cli::failure : kore::cli::bad_input);
  } catch (const std::bad_alloc&) {
    return complain(
        "There is not enough memory for this. Give fewer pairs or features, or set --memory-limit.",
        kore::cli::failure);
  } catch (const std::system_error& error) {
    return complain(("The system refuses what this needs: " + error.code().message() +
                     ". Raise the limits of the process (see ulimit), or ask for fewer --threads.")
                        .c_str(),
                    kore::cli::failure);
  } catch (const std::exception& error) {
    return complain(error.what(), kore::cli::failure);
  }
}
