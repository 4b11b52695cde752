// Effects outside of the report: in notebooks and drawings.
#include "report/term_panels.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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
  std::size_t fields = 0;
  std::size_t lines = 0;
  for (const DrawnTerm& term : terms)
    if (const auto* surface = std::get_if<DrawnSurface>(&term.drawn))
      ++(drawn_as_lines(*surface) ? lines : fields);
  ASSERT_GT(fields + lines, 0U);
  EXPECT_GE(count_of(svg, ">+"), fields) << "where a surface is highest";
  EXPECT_GE(count_of(svg, "stroke-dasharray=\"7 3\""), lines) << "the line of a second level";
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(TermPanels, CountTermsWithoutDotsOfACurve) {
  const auto made = test::made_up_model(false);
  Decomposition shown = decomposition(made.fitted.model);
  const std::size_t all = drawable_terms(shown);
  EXPECT_EQ(all, shown.terms.size());
  const auto main =
      std::ranges::find_if(shown.terms, [](const ShownTerm& term) { return term.order() == 1; });
  ASSERT_NE(main, shown.terms.end());
  main->by_value = {true};
  EXPECT_EQ(drawable_terms(shown), all - 1);
}

TEST(Drawing, EscapesNames) {
  DrawnCurve curve{"<b>&", "y\"", Units::numbers, {0, 1}, {-1, 1}, {}, {}, {}};
  const std::vector<DrawnTerm> terms{{"<b>&", 1, curve}};
  const std::string svg = effects_svg(terms, 1);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;b&gt;&amp;"), std::string::npos);
}

TEST(Drawing, HasPointsWhereThereAreFewWholeNumbers) {
  DrawnCurve curve{"urban", "y", Units::numbers, {0, 1}, {-1, 1}, {-1.5, 0.5}, {-0.5, 1.5}, {}};
  EXPECT_EQ(count_of(effects_svg(std::vector<DrawnTerm>{{"urban", 1, curve}}, 1), "<circle"), 0U);
  curve.single = true;
  const std::string svg = effects_svg(std::vector<DrawnTerm>{{"urban", 1, curve}}, 1);
  EXPECT_EQ(count_of(svg, "<circle"), 2U);
  EXPECT_EQ(count_of(svg, "<polygon"), 0U) << "no band between the points";
  EXPECT_EQ(count_of(svg, ">0.5<"), 0U) << "no tick where there is no value: " << svg;
}

TEST(Drawing, SaysHowManyLevelsItLeavesOut) {
  DrawnLevels levels{"town", "rent", false, {}};
  for (int i = 0; i < 14; ++i)
    levels.levels.push_back({fmt::format("town {}", i), static_cast<double>(i), 0, 0});
  EXPECT_EQ(effects_svg(std::vector<DrawnTerm>{{"town", 1, levels}}, 1).find("more"), std::string::npos);
  for (int i = 14; i < 40; ++i)
    levels.levels.push_back({fmt::format("town {}", i), static_cast<double>(i), 0, 0});
  const std::string svg = effects_svg(std::vector<DrawnTerm>{{"town", 1, levels}}, 1);
  EXPECT_EQ(count_of(svg, "<circle"), 12U);
  EXPECT_NE(svg.find("... and 28 more"), std::string::npos);
  for (const char* name : {">town 0<", ">town 39<"}) EXPECT_NE(svg.find(name), std::string::npos) << name;
}

TEST(Drawing, HasALineForEachOfFewLevels) {
  DrawnSurface surface{
      {"year", Units::numbers, {1970, 1975, 1980}, {}},
      {"origin", Units::numbers, {}, {"a level that ends in one", "a level that ends in two"}},
      "y",
      {1, -1, 2, -2, 3, -3},
      {}};
  surface.x.years = true;
  const std::vector<DrawnTerm> terms{{"year × origin", 1, surface}};
  const std::string svg = effects_svg(terms, 1);
  EXPECT_EQ(count_of(svg, "<polyline"), 2U);
  EXPECT_NE(svg.find(">1970<"), std::string::npos);
  EXPECT_EQ(svg.find("1,970"), std::string::npos);
  EXPECT_NE(svg.find("one<"), std::string::npos) << "names stay different";
  surface.y = {"town", Units::numbers, {}, {"a", "b", "c", "d", "e", "f", "g"}};
  surface.x.points = {1970, 1980};
  surface.values.assign(14, 1);
  const std::string fields = effects_svg(std::vector<DrawnTerm>{{"year × town", 1, surface}}, 1);
  EXPECT_EQ(count_of(fields, "<polyline"), 0U);
  EXPECT_GE(count_of(fields, "<rect"), 14U);
  EXPECT_EQ(fields.find("1,970"), std::string::npos);
  EXPECT_NE(fields.find(">+1<"), std::string::npos) << "the sign of the highest field";
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
  EXPECT_EQ(labels(10957, 10967, Units::days),
            (Labels{"2000-01-02", "2000-01-04", "2000-01-06", "2000-01-08", "2000-01-10"}));
  EXPECT_EQ(labels(-0.5, 0.3, Units::days),
            (Labels{"1969-12-31 12:00", "1969-12-31 18:00", "1970-01-01 00:00", "1970-01-01 06:00"}));
  EXPECT_EQ(labels(10957, 11016, Units::days).size(), 3U);
}

TEST(SvgAxes, EndWhereDoublesHaveNoDigitsLeft) {
  for (const auto& [lowest, highest] :
       {std::pair{1e17, 1e17 + 16}, std::pair{-1e300, 1e300}, std::pair{1.0, std::nextafter(1.0, 2.0)}}) {
    const std::vector<svg::Tick> ticks = svg::ticks_of(svg::across(lowest, highest));
    EXPECT_LE(ticks.size(), 21U);
    for (std::size_t i = 1; i < ticks.size(); ++i) {
      EXPECT_GT(ticks[i].at, ticks[i - 1].at);
      EXPECT_NE(ticks[i].label, ticks[i - 1].label);
    }
  }
  EXPECT_TRUE(svg::ticks_of(svg::across(-1e12, 1e12), Units::days).empty());
}

}  // namespace
}  // namespace kore::report
