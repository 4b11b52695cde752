#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace kore::cli {
namespace {

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }
bool is_positional(const CLI::Option& option) {
  return option.get_lnames().empty() && option.get_snames().empty();
}

/// The allowed values of an option, where they are a list. CLI11 shows them in its check ("TEXT:{a,b}").
std::vector<std::string> values_of(const CLI::App& command, const CLI::Option& option) {
  if (command.get_name() == "example" && is_positional(option)) return example_names();
  const std::string type = option.get_type_name();
  const auto open = type.find('{');
  if (open == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, type.find('}') - open - 1), ',');
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

/// Those that the help shows.
std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

/// What bash must know about a command: its options, and the values of the one before the cursor. Where any
/// value is allowed, it completes file names.
std::string bash_case(const CLI::App& command) {
  std::vector<std::string> long_names;
  std::string positional;
  std::string values;
  for (const CLI::Option* option : options_of(command)) {
    const std::string choices = fmt::format("{}", fmt::join(values_of(command, *option), " "));
    for (const std::string& name : option->get_lnames()) long_names.push_back("--" + name);
    if (is_positional(*option))
      positional += choices;
    else if (takes_value(*option))
      values += fmt::format("        {}) values=\"{}\" ;;\n", fmt::join(names_of(*option), "|"),
                            choices.empty() ? "FILES" : choices);
  }
  return fmt::format("    {}) options=\"{}\" values=\"{}\"\n      case $previous in\n{}      esac ;;\n",
                     command.get_name(), fmt::join(long_names, " "), positional, values);
}

std::string bash_script(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    commands += (commands.empty() ? "" : " ") + command->get_name();
    cases += bash_case(*command);
  }
  return fmt::format(R"(# Completion of kore for bash:  source <(kore completion bash)
_kore() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} options= values=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{}" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -n $values && $values != FILES ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _kore kore
)",
                     commands, cases);
}

// Inside single quotes of a zsh specification.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (c == ':' || c == '[' || c == ']')
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result;
}

std::string zsh_values(const std::vector<std::string>& values) {
  return values.empty() ? "_files" : fmt::format("({})", fmt::join(values, " "));
}

std::string zsh_arguments(const CLI::App& command) {
  std::string text;
  std::string positional = " '*:file:_files'";
  for (const CLI::Option* option : options_of(command)) {
    const std::vector<std::string> values = values_of(command, *option);
    if (is_positional(*option) && !values.empty())
      positional = fmt::format(" '*:{}:{}'", option->get_name(), zsh_values(values));
    for (const std::string& name : names_of(*option))
      text += fmt::format(" '{}[{}]{}'", name, quoted(option->get_description()),
                          takes_value(*option) ? ":value:" + zsh_values(values) : "");
  }
  return text + positional;
}

std::string zsh_script(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    commands += fmt::format("    '{}:{}'\n", command->get_name(), quoted(command->get_description()));
    cases += fmt::format("    {}) _arguments{} ;;\n", command->get_name(), zsh_arguments(*command));
  }
  return fmt::format(R"(#compdef kore
# Completion of kore for zsh:  source <(kore completion zsh)
_kore() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
compdef _kore kore
)",
                     commands, cases);
}

}  // namespace

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that completes kore's commands and options");
  command->add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
  command->footer("Example:  source <(kore completion bash)");
  command->callback(
      [shell, &app] { fmt::print("{}", *shell == "bash" ? bash_script(app) : zsh_script(app)); });
}

}  // namespace kore::cli
