// The published fixtures, written to files, through the command: the digits of the engine.
#include <cmath>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"
#include "support/fixture.hpp"

namespace kore {
namespace {

using nlohmann::json;
using test::Fixture;
using test::number;
using test::Rows;

Rows rows_of(const MatrixView& x, const std::vector<double>& y) {
  Rows rows{x.rows(), x.columns(), {}, y, {}};
  rows.y.resize(x.rows());
  for (std::size_t j = 0; j < x.columns(); ++j)
    for (std::size_t r = 0; r < x.rows(); ++r) rows.x.push_back(x(r, j));
  return rows;
}

/// A fixture, and the ending of the files it is written to.
using Case = std::tuple<std::string, std::string>;

class CommandFixtures : public test::CommandTest, public testing::WithParamInterface<Case> {
 protected:
  Fixture fixture{std::get<0>(GetParam())};
  const std::string ending = std::get<1>(GetParam());

  std::string pairs_argument() const {
    std::string text;
    for (const auto& [i, j] : fixture.pairs)
      text += (text.empty() ? "x" : ",x") + std::to_string(i + 1) + ":x" + std::to_string(j + 1);
    return text.empty() ? "none" : text;
  }
  json fitted() const {
    test::write_rows(folder.path("train." + ending), rows_of(fixture.train(), fixture.y));
    return kore({"fit", "train." + ending, "--target", "y", "--profile", "paper", "--degree",
                 std::to_string(fixture.degree), "--pairs", pairs_argument(), "--max-g-additive",
                 std::to_string(fixture.json["max_G_additive"].get<int>()), "--max-g-pairwise",
                 std::to_string(fixture.json["max_G_pairwise"].get<int>()), "--json", "-o", "model.kore"})
        .json();
  }
  std::vector<double> predicted() const {
    test::write_rows(folder.path("test." + ending), rows_of(fixture.test(), {}));
    return test::csv_numbers(kore({"predict", "model.kore", "-q", "test." + ending}).out, "prediction");
  }

  static void expect_selection(const json& ours, const json& published) {
    EXPECT_EQ(ours.at("G_star"), published["G_star"]);
    EXPECT_EQ(ours.at("fits"), published["fits"]);
    for (const char* key : {"A_hat", "tau_hat"})
      EXPECT_NEAR(ours.at(key).get<double>(), number(published[key]), 1e-6 * std::abs(number(published[key])))
          << key;
    EXPECT_NEAR(ours.at("G_dagger").get<double>() / number(published["G_dagger"]), 1, 1e-5);
    EXPECT_NEAR(ours.at("loo").get<double>() / number(published["loo"]), 1, 1e-7);
  }
  /// Every fit the selection made, against the same fit of the published run.
  void expect_curve(const json& curve, const json& published) const {
    std::size_t compared = 0;
    const bool awkward = std::get<0>(GetParam()) == "awkward";
    const double variance = fixture.target_deviation() * fixture.target_deviation();
    for (const json& point : curve) {
      const auto same = std::find_if(published.begin(), published.end(),
                                     [&](const json& fit) { return fit["G"] == point.at("G"); });
      if (same == published.end()) continue;
      ++compared;
      EXPECT_EQ(point.at("p"), (*same)["p"]);
      const double loo = point.at("loo").get<double>();
      // Where a leverage is one to rounding the data do not determine LOO; it only has to be large.
      if (awkward && loo > variance)
        EXPECT_GT(number((*same)["loo"]), variance);
      else
        EXPECT_NEAR(loo / number((*same)["loo"]), 1, awkward ? 1e-5 : 1e-7) << "G = " << point.at("G");
    }
    EXPECT_GT(compared, 0U);
  }
};

TEST_P(CommandFixtures, GiveTheSelectionsFitsLooAndPredictionsOfTheEngine) {
  const json fit = fitted();
  EXPECT_EQ(fit.at("n"), fixture.rows);
  const json& families = fit.at("families");
  expect_selection(families.at("additive"), fixture.json["select_additive"]);
  expect_curve(families.at("additive").at("curve"), fixture.json["additive_fits"]);

  // The engine on the same rows: not a digit may be lost on the way through a file.
  const Model model = kore::fit(fixture.train(), fixture.y, fixture.paper_options());
  EXPECT_EQ(fit.at("loo").get<double>(), model.summary.loo);
  const std::vector<double> ours = predicted();
  EXPECT_EQ(ours, predict(model, fixture.test()));

  if (fixture.pairs.empty()) return;
  expect_selection(families.at("pairwise"), fixture.json["select_pairwise"]);
  expect_curve(families.at("pairwise").at("curve"), fixture.json["pairwise_fits"]);
  const json& automatic = fixture.json["select_auto"];
  EXPECT_EQ(fit.at("structure"), automatic["structure"]);
  EXPECT_EQ(fit.at("G"), automatic["G_star"]);
  EXPECT_EQ(fit.at("fits"), automatic["fits_total"]);
  EXPECT_NEAR(fit.at("loo").get<double>() / automatic["loo"].get<double>(), 1, 1e-7);
  for (std::size_t r = 0; r < ours.size(); ++r) {
    const double published = automatic["predict"][r];
    // Outside the range polynomials grow, and so does what rounding does to them.
    const double scale = fixture.target_deviation();
    EXPECT_NEAR(ours[r], published,
                fixture.inside(r) ? 1e-7 * scale : 1e-5 * std::max(scale, std::abs(published)))
        << "row " << r;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, CommandFixtures,
                         testing::Combine(testing::ValuesIn(test::fixture_names()),
                                          testing::Values("csv", "parquet")),
                         [](const auto& test_case) {
                           return std::get<0>(test_case.param) + "_" + std::get<1>(test_case.param);
                         });

}  // namespace
}  // namespace kore
