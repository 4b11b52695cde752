#include "fit/option_records.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "kore/error.hpp"

namespace kore {
namespace {

std::string text_of(const char* option, const Options& options) {
  return option_record(option).value(options).value().text;
}

TEST(OptionRecords, ReadTheValueOfTheirOption) {
  Options options;
  options.degree = 5;
  options.ridge = 2.5e-7;
  options.relative_ridge = false;
  options.pairs = {{0, 1}, {1, 2}};
  options.grown().max_order = 2;
  EXPECT_EQ(text_of("degree", options), "5");
  EXPECT_EQ(option_record("degree").value(options)->number, 5);
  EXPECT_EQ(text_of("ridge", options), "2.5e-07");
  EXPECT_EQ(text_of("relative_ridge", options), "false");
  EXPECT_EQ(text_of("pairs", options), "2 long");
  EXPECT_EQ(text_of("levels", options), "empty");
  EXPECT_EQ(text_of("max_order", options), "2");
}

TEST(OptionRecords, NameEveryChoice) {
  Options options = Options::paper();
  for (const auto& [choice, word] : {std::pair{StructureChoice::automatic, "auto"},
                                     {StructureChoice::additive, "additive"},
                                     {StructureChoice::pairwise, "pairwise"}}) {
    options.structure = choice;
    EXPECT_EQ(text_of("structure", options), word);
  }
  for (const auto& [choice, word] : {std::pair{PairChoice::automatic, "auto"},
                                     {PairChoice::all, "all"},
                                     {PairChoice::none, "none"},
                                     {PairChoice::given, "given"},
                                     {PairChoice::discover, "discover"}}) {
    options.pair_choice = choice;
    EXPECT_EQ(text_of("pair_choice", options), word);
  }
  for (const auto& [choice, word] : {std::pair{Extrapolation::continue_polynomial, "continue_polynomial"},
                                     {Extrapolation::linear, "linear"},
                                     {Extrapolation::constant, "constant"},
                                     {Extrapolation::error, "error"}}) {
    options.extrapolation = choice;
    EXPECT_EQ(text_of("extrapolation", options), word);
  }
  for (const auto& [choice, word] : {std::pair{Parametrisation::first_block_full, "first_block_full"},
                                     {Parametrisation::centred, "centred"}}) {
    options.published().additive_parametrisation = choice;
    EXPECT_EQ(text_of("additive_parametrisation", options), word);
  }
}

TEST(OptionRecords, OfAMethodHaveNoValueInTheOther) {
  for (const OptionRecord& record : option_records()) {
    EXPECT_EQ(record.value(Options{}).has_value(), record.owner != OptionOwner::published_method)
        << record.name;
    EXPECT_EQ(record.value(Options::paper()).has_value(), record.owner != OptionOwner::default_method)
        << record.name;
  }
}

TEST(OptionRecords, SayWhatAnOptionMayBe) {
  EXPECT_EQ(allowed_values(option_record("degree")), "between 1 and 7");
  EXPECT_EQ(allowed_values(option_record("max_order")), "1, 2 or 3");
  EXPECT_EQ(allowed_values(option_record("threads")), "at least 0");
  EXPECT_EQ(allowed_values(option_record("stability")), "above 0 and below 1");
  EXPECT_EQ(allowed_values(option_record("discovery_threshold")), "between 0 and 1");
  EXPECT_EQ(allowed_values(option_record("ridge")), "a finite number that is not negative");
  EXPECT_EQ(allowed_values(option_record("structure")), "auto, additive or pairwise");
  EXPECT_EQ(allowed_values(option_record("intervals")), "true or false");
}

TEST(OptionRecords, HaveDefaultsInTheirRangesAndNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const OptionRecord& record : option_records()) {
    EXPECT_TRUE(names.insert(record.name).second) << record.name << " is there twice";
    EXPECT_TRUE(record.sentence.ends_with('.')) << record.name;
    if (record.type != OptionType::integer && record.type != OptionType::number) continue;
    EXPECT_LT(record.lowest, record.highest) << record.name;
    for (const Options& profile : {Options{}, Options::paper()})
      if (const auto value = record.value(profile)) {
        EXPECT_TRUE(in_range(record, value->number)) << record.name;
      }
  }
}

TEST(OptionRecords, GiveARefusalItsArguments) {
  Options options;
  options.stability = 0;
  try {
    options.check(2);
    ADD_FAILURE() << "an end that is excluded was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.reason(), "option_out_of_range");
    EXPECT_EQ(error.message().argument("option"), "stability");
    EXPECT_EQ(error.message().argument("value"), "0");
    EXPECT_EQ(error.message().argument("allowed"), "above 0 and below 1");
    EXPECT_STREQ(error.what(), "The option 'stability' is 0; it must be above 0 and below 1.");
  }
}

TEST(OptionsPage, IsMadeFromTheRecords) {
  const std::string path = std::string(KORE_TEST_DATA) + "/../../docs/options.md";
  if (std::getenv("KORE_RENEW_DOCS") != nullptr) std::ofstream(path) << options_page();
  std::stringstream page;
  page << std::ifstream(path).rdbuf();
  EXPECT_EQ(page.str(), options_page())
      << "docs/options.md is not what the options are. Renew it with "
         "'KORE_RENEW_DOCS=1 build/tests/fit_test --gtest_filter=OptionsPage.*' and commit it.";
}

}  // namespace
}  // namespace kore
