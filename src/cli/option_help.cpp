#include "cli/option_help.hpp"

#include <fmt/format.h>

#include <vector>

#include "fit/option_records.hpp"

namespace kore::cli {
namespace {

constexpr double worth_telling = 100;  // a larger bound is there against mistyped numbers
constexpr double told_one_by_one = 3;  // so few values are explained in the sentence

std::vector<std::string> facts_of(const OptionRecord& record) {
  std::vector<std::string> facts;
  if (record.type == OptionType::integer && record.highest <= worth_telling &&
      record.highest - record.lowest >= told_one_by_one)
    facts.push_back(fmt::format("{} to {}", record.lowest, record.highest));
  const std::optional<OptionValue> standard = record.value(Options{});
  const std::optional<OptionValue> paper = record.value(Options::paper());
  if (standard) facts.push_back("default " + standard->text);
  if (!paper) facts.emplace_back("not with --profile paper");
  if (paper && standard && paper->text != standard->text)
    facts.push_back(paper->text + " with --profile paper");
  return facts;
}

}  // namespace

std::string option_help(std::string_view option) {
  const OptionRecord& record = option_record(option);
  std::string_view sentence = record.sentence;
  sentence.remove_suffix(1);  // the help of an option ends without a full stop
  return fmt::format("{} ({})", sentence, fmt::join(facts_of(record), "; "));
}

}  // namespace kore::cli
