#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace kore::cli {

/// Help in which an option's argument is a word that a person can replace: "--degree N", "--profile
/// default|paper". Further limits are in the text of the option.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace kore::cli
