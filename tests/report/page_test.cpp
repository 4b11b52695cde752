#include "report/page.hpp"

#include <gtest/gtest.h>

#include "report/assets.hpp"

namespace kore::report {
namespace {

constexpr const char* hostile = "</script><script>alert('x')</script> \"a\" & b";

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

Page small_page() {
  const Json spec{{"mark", "point"}, {"data", {{"values", Json::array({{{"x", 1}}})}}}};
  const DataTable table{
      "Numbers", {"name", "value"}, {{"first", {"yes", Tone::good}}, {"second", {"no", Tone::bad}}}};
  const Figure figure{
      "A figure", "What it shows.", {{"left", "Left panel", spec}, {"right", "Right panel", spec}}};
  return {"A page", {Paragraph{"Lead."}}, {{"one", "Section one", {table, figure, Notes{{"a note"}}}}}};
}

TEST(Page, CarriesItsScriptsAndAsksForNothingElse) {
  const std::string html = to_html(small_page());
  for (const std::string_view text :
       {vega_script(), vega_lite_script(), vega_embed_script(), page_script(), page_style()})
    EXPECT_NE(html.find(text), std::string::npos);
  EXPECT_EQ(count(html, "<script src"), 0U);
  EXPECT_EQ(count(html, "<link"), 1U) << "the icon, and it is empty";
  EXPECT_EQ(page_style().find("url("), std::string_view::npos);
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(html.find("Interactive Data Lab"), std::string::npos) << "the licences of the scripts";
}

TEST(Page, HasWholeScriptsThatDoNotEndTheirElement) {
  EXPECT_EQ(vega_script().size(), 515242U);
  EXPECT_EQ(vega_lite_script().size(), 252198U);
  EXPECT_EQ(vega_embed_script().size(), 60630U);
  for (const std::string_view text :
       {vega_script(), vega_lite_script(), vega_embed_script(), page_script()}) {
    EXPECT_EQ(text.find("</script"), std::string_view::npos);
    EXPECT_EQ(text.find("<!--"), std::string_view::npos);
  }
}

TEST(Page, GivesEveryChartItsDataItsPlaceAndItsDescription) {
  const std::string html = to_html(small_page());
  EXPECT_EQ(count(html, "<script type=\"application/json\" data-chart="), 2U);
  EXPECT_NE(html.find("data-chart=\"chart-2\">{"), std::string::npos);
  EXPECT_NE(html.find("id=\"chart-2\" role=\"img\" aria-label=\"Right panel\""), std::string::npos);
  EXPECT_NE(html.find("<figcaption>What it shows.</figcaption>"), std::string::npos);
}

TEST(Page, LinksToItsSections) {
  const std::string html = to_html(small_page());
  EXPECT_NE(html.find("<a href=\"#one\">Section one</a>"), std::string::npos);
  EXPECT_NE(html.find("<section id=\"one\">"), std::string::npos);
}

TEST(Page, MarksVerdictsByMoreThanTheirPlace) {
  const std::string html = to_html(small_page());
  EXPECT_NE(html.find("<span class=\"good\">yes</span>"), std::string::npos);
  EXPECT_NE(html.find("<span class=\"bad\">no</span>"), std::string::npos);
}

TEST(Page, LetsNoTextBecomeMarkup) {
  const std::size_t scripts = count(to_html(small_page()), "<script");
  Page page = small_page();
  const Json spec{{"mark", "point"}, {"title", hostile}, {hostile, hostile}};
  page.title = hostile;
  page.lead = {Paragraph{hostile}, Notes{{hostile}}, DataTable{hostile, {hostile}, {{hostile}}, 1, true}};
  page.sections[0].title = hostile;
  page.sections[0].id = hostile;
  page.sections[0].blocks = {Figure{hostile, hostile, {{hostile, hostile, spec}, {hostile, hostile, spec}}}};
  const std::string html = to_html(page);
  EXPECT_EQ(count(html, "<script"), scripts) << "as many as in a page without such text";
  EXPECT_EQ(count(html, "<script>alert"), 0U);
  EXPECT_EQ(count(html, "\"a\" & b"), 0U);
}

TEST(ScriptData, StaysTheSameDataWithoutAnyOpeningBracket) {
  const Json json{{"text", hostile}, {"number", 0.1}};
  EXPECT_EQ(script_data(json).find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(script_data(json)), json);
}

TEST(ScriptData, ReplacesWhatIsNotUtf8) { EXPECT_NO_THROW((void)script_data(Json{{"text", "\xff\xfe"}})); }

TEST(Page, WithASearchHasAFieldForItAndFiguresToSearch) {
  Page page = small_page();
  EXPECT_EQ(to_html(page).find("id=\"search\""), std::string::npos);
  page.search = "Search features";
  std::get<Figure>(page.sections[0].blocks[1]).searchable = true;
  page.sections[0].short_title = "One";
  const std::string html = to_html(page);
  EXPECT_NE(html.find("id=\"search\" aria-label=\"Search features\""), std::string::npos);
  EXPECT_NE(html.find("<figure class=\"searchable\">"), std::string::npos);
  EXPECT_NE(html.find("<a href=\"#one\">One</a>"), std::string::npos);
}

TEST(Page, WithAModelCarriesItAndTheScriptsThatEvaluateIt) {
  Page page = small_page();
  EXPECT_EQ(to_html(page).find(model_script()), std::string::npos);
  page.model = {{"target", hostile}};
  page.sections[0].blocks.push_back(WhatIf{});
  const std::string html = to_html(page);
  EXPECT_NE(html.find("id=\"what-if\""), std::string::npos);
  EXPECT_NE(html.find(model_script()), std::string::npos);
  EXPECT_NE(html.find(what_if_script()), std::string::npos);
  EXPECT_EQ(html.find(hostile), std::string::npos);
  for (const std::string_view text : {model_script(), what_if_script()})
    EXPECT_EQ(text.find("</script"), std::string_view::npos);
}

TEST(Page, EscapesTilesCalloutsAndNotes) {
  Page page = small_page();
  page.lead = {Tiles{{{hostile, hostile, hostile}}}, Callout{hostile, Tone::good}};
  std::get<Figure>(page.sections[0].blocks[1]).panels[0].note = hostile;
  const std::string html = to_html(page);
  EXPECT_EQ(html.find(hostile), std::string::npos);
  EXPECT_EQ(count(html, escaped(hostile)), 5U);
  EXPECT_NE(html.find("<p class=\"callout good\">"), std::string::npos);
}

}  // namespace
}  // namespace kore::report
