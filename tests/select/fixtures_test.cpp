#include "select/made_up_curve.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include "kore/pilot_check.hpp"

namespace kore {
namespace {

using Json = nlohmann::json;

/// One family of one fixture of the published selector, with those points of its LOO curve that the fixture
/// tells.
struct PublishedFamily {
  std::string name;
  BasisCount size;
  double n = 0;
  SelectorOptions options;
  std::map<int, double> loo;
  Json selected;

  bool tells(int resolution) const { return loo.contains(resolution); }
};

PublishedFamily read_family(const Json& fixture, bool pairwise) {
  const std::string name = pairwise ? "pairwise" : "additive";
  PublishedFamily family;
  family.name = fixture["name"].get<std::string>() + " " + name;
  family.size = BasisCount{fixture["degree"], {fixture["d"]}};
  family.n = fixture["n"];
  family.options.max_resolution = fixture["max_G_" + name];
  if (pairwise) {
    family.size.terms.push_back(fixture["pairs"].size());
    family.options.radius = 1;
    family.options.skip_if_unstable = true;
  }
  for (const auto& fit : fixture[name + "_fits"]) {
    EXPECT_EQ(family.size(fit["G"].get<int>()), fit["p"].get<double>());
    family.loo[fit["G"]] = fit["loo"];
  }
  family.selected = fixture["select_" + name];
  family.loo[family.selected["G_star"]] = family.selected["loo"];
  return family;
}

std::vector<Json> fixtures() {
  std::vector<Json> all;
  for (const auto& entry : std::filesystem::directory_iterator(KORE_TEST_DATA "/fixtures")) {
    all.push_back(Json::parse(std::ifstream(entry.path())));
  }
  return all;
}

std::vector<PublishedFamily> families() {
  std::vector<PublishedFamily> all;
  for (const Json& fixture : fixtures()) {
    all.push_back(read_family(fixture, false));
    if (fixture.contains("select_pairwise")) all.push_back(read_family(fixture, true));
  }
  return all;
}

/// The published constants put back into the pilot equations give the LOO at any pilot.
double loo_by_law(const PublishedFamily& family, int resolution) {
  const double phi = std::pow(resolution, -2.0 * (family.size.degree + 1));
  const double leverage = family.n / (family.n - family.size(resolution));
  return family.selected["A_hat"].get<double>() * phi + family.selected["tau_hat"].get<double>() * leverage;
}

TEST(Fixtures, FollowFromTheirTwoPilots) {
  int compared = 0;
  for (const PublishedFamily& family : families()) {
    MadeUpCurve made_up(family.size, family.n, family.loo, 1e9);
    const Selection found = select_resolution(made_up.curve, family.options);
    ASSERT_FALSE(found.pilots.empty()) << family.name;
    if (!family.tells(1) || !family.tells(found.pilots.back())) continue;
    const double bias_scale = family.selected["A_hat"];
    const double variance_scale = family.selected["tau_hat"];
    const double plug_in = family.selected["G_dagger"];
    EXPECT_NEAR(found.law.bias_scale, bias_scale, 1e-9 * std::abs(bias_scale)) << family.name;
    EXPECT_NEAR(found.law.variance_scale, variance_scale, 1e-9 * std::abs(variance_scale)) << family.name;
    EXPECT_NEAR(found.plug_in, plug_in, 1e-5 * plug_in) << family.name;
    ++compared;
  }
  EXPECT_GE(compared, 6);
}

TEST(Fixtures, AreSelectedAsPublishedWhereTheyTellTheWholeCertificate) {
  int compared = 0;
  for (const PublishedFamily& family : families()) {
    bool told = true;
    MadeUpCurve made_up(family.size, family.n, [&](int resolution) {
      told = told && family.tells(resolution);
      return family.tells(resolution) ? family.loo.at(resolution) : 1e9;
    });
    const Selection found = select_resolution(made_up.curve, family.options);
    if (!told) continue;
    EXPECT_EQ(found.resolution, family.selected["G_star"].get<int>()) << family.name;
    EXPECT_EQ(found.fits, family.selected["fits"].get<int>()) << family.name;
    EXPECT_EQ(found.loo, family.selected["loo"].get<double>()) << family.name;
    ++compared;
  }
  EXPECT_GE(compared, 5);
}

TEST(Fixtures, ObeyTheirOwnPilotEquations) {
  for (const PublishedFamily& family : families()) {
    MadeUpCurve made_up(family.size, family.n, family.loo, 1e9);
    if (select_resolution(made_up.curve, family.options).pilots.size() < 2) continue;
    EXPECT_NEAR(loo_by_law(family, 1), family.loo.at(1),
                1e-9 * std::abs(family.selected["A_hat"].get<double>()))
        << family.name;
  }
}

TEST(Fixtures, AreDiagnosedAsPublished) {
  for (const Json& fixture : fixtures()) {
    const PublishedFamily family = read_family(fixture, false);
    const Json& published = fixture["diagnostic"];
    MadeUpCurve made_up(family.size, family.n,
                        [&](int resolution) { return loo_by_law(family, resolution); });
    const bool pairwise = published["recommendation"] == "use pairwise";
    const PilotCheck found = check_pilots(made_up.curve, family.options, fixture["d"],
                                          pairwise ? Structure::pairwise : Structure::additive);
    EXPECT_EQ(found.suitable, published["suitable"].get<bool>()) << family.name;
    EXPECT_EQ(found.reason, published["reason"].get<std::string>()) << family.name;
    EXPECT_EQ(found.recommendation, published["recommendation"].get<std::string>()) << family.name;
    EXPECT_EQ(found.effective_density, published["effective_density"].get<double>()) << family.name;
    const auto close = [&](double value, const char* key) {
      const double expected = published[key];
      EXPECT_NEAR(value, expected, 1e-5 * std::abs(expected)) << family.name << " " << key;
    };
    close(found.condition_number, "pilot_condition_number");
    close(found.law.bias_scale, "A_hat");
    close(found.law.variance_scale, "tau_hat");
    close(found.plug_in, "G_dagger");
    close(found.stability_margin, "stability_margin");
  }
}

}  // namespace
}  // namespace kore
