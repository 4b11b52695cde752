#include "experiments/figures/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "figures/made_up_results.hpp"

namespace kore::experiments {
namespace {

/// A fit is not needed here; its own test makes one.
report::SolvedResolution no_fit() {
  report::SolvedResolution solved;
  solved.selection.curve[1] = {4, 0.1, 0, 0};
  return solved;
}

template <class Kind>
std::vector<Kind> blocks_of(const report::Section& section) {
  std::vector<Kind> found;
  for (const report::Block& block : section.blocks)
    if (const auto* kind = std::get_if<Kind>(&block)) found.push_back(*kind);
  return found;
}

TEST(FiguresPage, FollowsThePaper) {
  std::vector<std::string> ids;
  for (const report::Section& section : figures_page(made_up_reports(), no_fit()).sections)
    ids.push_back(section.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"solving", "law", "consistency", "frontier", "benchmark", "noise",
                                           "concentration", "discovery", "robustness", "scaling", "degree"}));
}

TEST(FiguresPage, LeavesOutWhatWasNotRunAndSaysSo) {
  const std::vector<StudyReport> reports{{noise_study(2), made_up_noise(), {}, "With 2 seeds."}};
  const report::Page page = figures_page(reports, no_fit());
  EXPECT_EQ(page.sections.size(), 2U);
  const std::string html = report::to_html(page);
  EXPECT_NE(html.find("not shown: law, consistency, frontier"), std::string::npos);
  EXPECT_NE(html.find("With 2 seeds."), std::string::npos);
}

TEST(FiguresPage, ShowsEveryClaimOnceAndPutsNoneAside) {
  const std::vector<StudyReport> reports = made_up_reports();
  const report::Page page = figures_page(reports, no_fit());
  for (const StudyReport& report : reports) {
    const auto section = std::ranges::find(page.sections, report.study.name, &report::Section::id);
    ASSERT_NE(section, page.sections.end());
    std::size_t shown = 0;
    for (const report::DataTable& table : blocks_of<report::DataTable>(*section))
      if (table.head.back() == "verdict") shown += table.rows.size();
    EXPECT_EQ(shown, report.study.claims(report.table).size()) << report.study.name;
    const auto paragraphs = blocks_of<report::Paragraph>(*section);
    ASSERT_GE(paragraphs.size(), 2U);
    EXPECT_TRUE(paragraphs[1].text.starts_with("From kore reproduce " + report.study.name));
    for (const report::Figure& figure : blocks_of<report::Figure>(*section))
      for (const report::Panel& panel : figure.panels)
        EXPECT_FALSE(panel.description.empty()) << figure.title;
  }
}

TEST(FiguresPage, PutsClaimsBesideTheFiguresTheyAreAbout) {
  const report::Page page = figures_page(made_up_reports(), no_fit());
  for (const report::Section& section : page.sections)
    for (std::size_t b = 0; b + 1 < section.blocks.size(); ++b) {
      const auto* figure = std::get_if<report::Figure>(&section.blocks[b]);
      if (figure == nullptr) continue;
      const auto* table = std::get_if<report::DataTable>(&section.blocks[b + 1]);
      ASSERT_NE(table, nullptr) << figure->title;
      EXPECT_EQ(table->head.back(), "verdict") << figure->title << ": no claim begins as the figure expects";
    }
}

TEST(FiguresPage, NumbersARemarkOnce) {
  const report::Page page = figures_page(made_up_reports(), no_fit());
  const auto law = std::ranges::find(page.sections, std::string("law"), &report::Section::id);
  std::vector<std::string> remarks = blocks_of<report::Notes>(*law).front().items;
  ASSERT_FALSE(remarks.empty());
  for (std::string& remark : remarks) remark = remark.substr(remark.find(']'));
  std::ranges::sort(remarks);
  EXPECT_EQ(std::ranges::adjacent_find(remarks), remarks.end());
}

}  // namespace
}  // namespace kore::experiments
