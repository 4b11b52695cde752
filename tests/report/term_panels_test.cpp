// Effects outside of the report: in notebooks and drawings.
#include "report/term_panels.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/effect_svg.hpp"
#include "report/made_up_model.hpp"
#include "report/svg_axes.hpp"
#include "story/effect_grid.hpp"

namespace kore::report {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

const DrawnTerm& named(const std::vector<DrawnTerm>& terms, const std::string& name) {
  const auto found = std::ranges::find(terms, name, &DrawnTerm::name);
  EXPECT_NE(found, terms.end()) << name;
  return *found;
}

TEST(TermPanels, AreTheChartsOfTheReportTheLargestShareFirst) {
  const auto made = test::made_up_model(false);
  const Subject subject{made.fitted};
  const std::vector<DrawnTerm> terms = drawn_terms(subject, 100);
  for (std::size_t i = 1; i < terms.size(); ++i)
    EXPECT_GE(std::abs(terms[i - 1].share), std::abs(terms[i].share));
  EXPECT_EQ(drawn_terms(subject, 2).size(), 2U);
  EXPECT_EQ(std::get<DrawnCurve>(named(terms, "built").drawn).units, Units::days);
  const auto& towns = std::get<DrawnLevels>(named(terms, "town").drawn);
  ASSERT_EQ(towns.levels.size(), 3U);
  EXPECT_EQ(towns.levels[0].name, "Aachen");
  const Panel panel = term_panel(named(terms, "town"));
  EXPECT_TRUE(panel.title.starts_with("town (")) << panel.title;
  EXPECT_TRUE(panel.description.starts_with("Effect of town, between ")) << panel.description;
}

TEST(TermPanels, OnTheirOwnNeedNoVariablesOfAPageAndOneControl) {
  const auto made = test::made_up_model(false);
  DrawnCurve curve{"age", "height", Units::numbers, {0, 1, 2, 50}, {-1, 0, 3, 9}, {}, {}, {}};
  curve.central = Range{0, 2};
  const Panel zoomed = term_panel({"age", 0.5, curve});
  std::vector<Panel> panels{zoomed, zoomed};
  for (const DrawnTerm& term : drawn_terms({made.fitted}, 5)) panels.push_back(term_panel(term));
  const Json chart = standalone(panels, 3);
  EXPECT_EQ(chart.dump().find("var(--"), std::string::npos);
  EXPECT_EQ(chart["concat"].size(), panels.size());
  ASSERT_EQ(chart["params"].size(), 1U) << "the control is for all charts";
  for (const Json& each : chart["concat"]) EXPECT_FALSE(each.contains("params"));
}

TEST(Drawing, ShowsDatesLevelsAndSignsByName) {
  const auto made = test::made_up_model(false);
  const std::vector<DrawnTerm> terms = drawn_terms({made.fitted}, 100);
  const std::string svg = effects_svg(terms, 3);
  EXPECT_TRUE(svg.starts_with("<svg")) << svg.substr(0, 40);
  EXPECT_EQ(count_of(svg, "<g transform"), terms.size());
  for (const char* word : {"Aachen", "Bonn", "Cologne", "false", "true", ">1990<", ">2005<"})
    EXPECT_NE(svg.find(word), std::string::npos) << word;
  const auto surfaces = static_cast<std::size_t>(std::ranges::count_if(
      terms, [](const DrawnTerm& term) { return std::holds_alternative<DrawnSurface>(term.drawn); }));
  ASSERT_GT(surfaces, 0U);
  EXPECT_GE(count_of(svg, ">+"), surfaces) << "where a surface is highest";
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Drawing, EscapesNames) {
  DrawnCurve curve{"<b>&", "y\"", Units::numbers, {0, 1}, {-1, 1}, {}, {}, {}};
  const std::vector<DrawnTerm> terms{{"<b>&", 1, curve}};
  const std::string svg = effects_svg(terms, 1);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;b&gt;&amp;"), std::string::npos);
}

TEST(SvgAxes, HaveRoundTicksWithTheDigitsThatTellThemApart) {
  const auto labels = [](double lowest, double highest, Units units = Units::numbers, bool years = false) {
    std::vector<std::string> all;
    for (const svg::Tick& tick : svg::ticks_of(svg::across(lowest, highest), units, years))
      all.push_back(tick.label);
    return all;
  };
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels(0, 10), (Labels{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(labels(0.02, 0.13), (Labels{"0.05", "0.10"}));
  EXPECT_EQ(labels(-15000, 21000), (Labels{"-10,000", "0", "10,000", "20,000"}));
  EXPECT_EQ(labels(1970, 1982, Units::numbers, true), (Labels{"1970", "1975", "1980"}));
  EXPECT_EQ(labels(7000, 15000, Units::days), (Labels{"1990", "1995", "2000", "2005", "2010"}));
  EXPECT_EQ(labels(10957, 11322, Units::days), (Labels{"2000-01", "2000-04", "2000-07", "2000-10"}));
}

}  // namespace
}  // namespace kore::report
