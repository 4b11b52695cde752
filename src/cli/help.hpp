#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace kore::cli {

/// Help in which an option's argument is a word that a person can replace: "--degree N", "--profile
/// default|paper". What it may be beyond that is in the option's own text.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace kore::cli
