#include "kore/column_choice.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"

namespace kore::table {
namespace {

using test::error_of;

const std::vector<std::string> names{"Name", "Horsepower", "Weight_in_lbs", "Origin", "mpg", "w"};
const std::string table = "the file 'cars.csv'";

using Positions = std::vector<std::size_t>;

TEST(ChooseColumns, TakesEverythingButTargetWeightsAndDropped) {
  const ChosenColumns chosen = choose_columns(
      names, {.target = "mpg", .weights = "w", .features = {}, .drop = {"Name"}, .categorical = {"Origin"}},
      table);
  EXPECT_EQ(chosen.target, 4U);
  EXPECT_EQ(chosen.weights, 5U);
  EXPECT_EQ(chosen.features, (Positions{1, 2, 3}));
  EXPECT_EQ(chosen.categorical, (std::vector<bool>{false, false, true}));
}

TEST(ChooseColumns, KeepsTheTablesOrderOfNamedFeatures) {
  const ChosenColumns chosen = choose_columns(
      names,
      {.target = "mpg", .weights = "", .features = {"Origin", "Horsepower"}, .drop = {}, .categorical = {}},
      table);
  EXPECT_EQ(chosen.features, (Positions{1, 3}));
  EXPECT_FALSE(chosen.weights.has_value());
}

TEST(ChooseColumns, SuggestsTheNearestName) {
  const auto unknown = [](ColumnChoice choice) {
    return error_of([&] { choose_columns(names, choice, table); });
  };
  EXPECT_SAYS(unknown({.target = "mgp", .weights = "", .features = {}, .drop = {}, .categorical = {}}),
              "There is no column 'mgp' in the file 'cars.csv'. Did you mean 'mpg'?");
  EXPECT_SAYS(
      unknown({.target = "mpg", .weights = "", .features = {}, .drop = {"hrsepower"}, .categorical = {}}),
      "Did you mean 'Horsepower'?");
  EXPECT_SAYS(
      unknown({.target = "mpg", .weights = "", .features = {}, .drop = {}, .categorical = {"Weight"}}),
      "Did you mean 'Weight_in_lbs'?");
  EXPECT_SAYS(unknown({.target = "price", .weights = "", .features = {}, .drop = {}, .categorical = {}}),
              "Its columns are: Name, Horsepower");
}

TEST(ChooseColumns, RefusesTwoPartsForOneColumn) {
  const auto refused = [](ColumnChoice choice) {
    const Error error = error_of([&] { choose_columns(names, choice, table); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    return error;
  };
  EXPECT_SAYS(refused({.target = "mpg", .weights = "mpg", .features = {}, .drop = {}, .categorical = {}}),
              "cannot be the target and the weights");
  EXPECT_SAYS(refused({.target = "mpg", .weights = "", .features = {"mpg"}, .drop = {}, .categorical = {}}),
              "cannot be the target and a feature");
  EXPECT_SAYS(
      refused(
          {.target = "mpg", .weights = "", .features = {"Origin"}, .drop = {"Origin"}, .categorical = {}}),
      "cannot be left out and a feature");
  EXPECT_SAYS(refused({.target = "mpg", .weights = "", .features = {}, .drop = {}, .categorical = {"mpg"}}),
              "cannot be the target and a category");
  EXPECT_SAYS(refused({.target = "", .weights = "", .features = {}, .drop = {}, .categorical = {}}),
              "No target");
  EXPECT_SAYS(refused({.target = "mpg",
                       .weights = "w",
                       .features = {},
                       .drop = {"Name", "Horsepower", "Weight_in_lbs", "Origin"},
                       .categorical = {}}),
              "is left to be a feature");
}

TEST(NearestName, AllowsAThirdOfTheLettersToBeWrong) {
  const std::vector<std::string> candidates{"price", "prize", "distance"};
  EXPECT_EQ(nearest_name("prixe", candidates), "price");
  EXPECT_EQ(nearest_name("PRIZE", candidates), "prize");
  EXPECT_EQ(nearest_name("ditsance", candidates), "distance") << "a swap of neighbours is one mistake";
  EXPECT_EQ(nearest_name("dist", candidates), "distance");
  EXPECT_EQ(nearest_name("origin", candidates), "");
  EXPECT_EQ(nearest_name("x", {}), "");
  EXPECT_EQ(nearest_name("x", std::vector<std::string>{"y", "x1"}), "x1")
      << "a single letter has no mistyped form";
}

}  // namespace
}  // namespace kore::table
