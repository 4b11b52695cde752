// `--scale`: what it says, what it refuses, and what predictions and effects are then.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <sstream>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

using nlohmann::json;

/// Prices that multiply: twice the size is about twice the price, with errors in proportion.
std::string prices(std::size_t rows) {
  test::Uniform uniform(19);
  std::string text = "size,age,price\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const double size = uniform.between(1, 9);
    const double age = uniform.between(0, 50);
    const double price = size * std::exp(2 - age / 40 + uniform.between(-0.6, 0.6));
    text += fmt::format("{},{},{}\n", size, age, price);
  }
  return text;
}

class ScaleTest : public test::CommandTest {
 protected:
  void SetUp() override { folder.write("p.csv", prices(500)); }
};

TEST_F(ScaleTest, IsChosenAndNamed) {
  const json found = kore({"fit", "p.csv", "--target", "price", "--json"}).json();
  EXPECT_EQ(found.at("scale"), "log");
  const std::string text = kore({"fit", "p.csv", "--target", "price"}).out;
  EXPECT_SAYS(text, "logarithm of 'price': effects, noise and leave-one-out are on this scale");
  EXPECT_EQ(kore({"fit", "p.csv", "--target", "price", "--scale", "identity", "--json"}).json().at("scale"),
            "identity");
}

TEST_F(ScaleTest, CarriesPredictionsBack) {
  kore({"fit", "p.csv", "--target", "price", "--scale", "log", "-o", "m.kore"});
  const std::string text = kore({"predict", "m.kore", "p.csv", "--interval", "0.9", "--keep", "price"}).out;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  double predicted = 0;
  double targets = 0;
  while (std::getline(lines, line)) {
    double prediction = 0;
    double lower = 0;
    double upper = 0;
    double price = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf", &prediction, &lower, &upper, &price), 4) << line;
    EXPECT_LT(0, lower);
    EXPECT_LT(lower, prediction);
    EXPECT_LT(prediction, upper);
    predicted += prediction;
    targets += price;
  }
  EXPECT_NEAR(predicted / targets, 1, 0.02);
}

TEST_F(ScaleTest, DrawsEffectsAsFactors) {
  kore({"fit", "p.csv", "--target", "price", "--scale", "log", "--structure", "additive", "-o", "m.kore"});
  const json added = kore({"effects", "m.kore", "--format", "json"}).json();
  const json factors = kore({"effects", "m.kore", "--format", "json", "--factors"}).json();
  EXPECT_EQ(added.at("scale"), "log");
  EXPECT_TRUE(factors.at("factors").get<bool>());
  const auto& first = added.at("terms").at(0).at("effect");
  for (std::size_t i = 0; i < first.size(); ++i)
    EXPECT_DOUBLE_EQ(factors.at("terms").at(0).at("effect").at(i).get<double>(),
                     std::exp(first.at(i).get<double>()));
  EXPECT_NEAR(factors.at("terms").at(0).at("upper").at(3).get<double>(),
              std::exp(added.at("terms").at(0).at("upper").at(3).get<double>()), 1e-9);
}

TEST_F(ScaleTest, RefusesWhatItCannotBe) {
  const auto refused = [&](std::vector<std::string> arguments) { return run(arguments).err; };
  folder.write("n.csv", "x,y\n1,2\n2,-1\n3,4\n4,2\n5,3\n6,1\n7,2\n8,5\n");
  EXPECT_SAYS(refused({"fit", "n.csv", "--target", "y", "--scale", "log"}),
              "cannot be taken on the logarithmic scale: its smallest value is -1");
  EXPECT_SAYS(refused({"fit", "p.csv", "--target", "price", "--profile", "paper", "--scale", "log"}),
              "--scale log belongs to the default profile");
  kore({"fit", "p.csv", "--target", "price", "--profile", "paper", "--scale", "auto", "-o", "paper.kore"});
  EXPECT_SAYS(refused({"effects", "paper.kore", "--factors"}),
              "--factors needs a model on the logarithmic scale");
}

}  // namespace
}  // namespace kore
