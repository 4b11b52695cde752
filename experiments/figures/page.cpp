#include "experiments/figures/page.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace kore::experiments {
namespace {

using report::Block;
using report::Tone;

struct Chapter {
  const char* study;
  Show show;
};

/// In the order of the paper.
constexpr std::array<Chapter, 10> chapters{{{"law", show_law},
                                            {"consistency", show_consistency},
                                            {"frontier", show_frontier},
                                            {"benchmark", show_benchmark},
                                            {"noise", show_noise},
                                            {"concentration", show_concentration},
                                            {"discovery", show_discovery},
                                            {"robustness", show_robustness},
                                            {"scaling", show_scaling},
                                            {"degree", show_degree}}};

std::string share_of(const Tally& tally) {
  return std::to_string(tally.held) + " of " + std::to_string(tally.judged);
}

report::Cell verdict(const Claim& claim) {
  if (!claim.holds) return "";
  return *claim.holds ? report::Cell("holds", Tone::good) : report::Cell("does not", Tone::bad);
}

/// The number of a remark below its table; the same remark keeps its number.
std::string mark(report::Notes& notes, const std::string& remark) {
  if (remark.empty()) return "";
  const auto known = std::ranges::find_if(
      notes.items, [&](const std::string& item) { return item.ends_with("] " + remark); });
  const auto number = known - notes.items.begin() + 1;
  if (known == notes.items.end()) notes.items.push_back("[" + std::to_string(number) + "] " + remark);
  return " [" + std::to_string(number) + "]";
}

/// The claims as a table, with their remarks below it.
void add_claims(std::vector<Block>& blocks, const std::vector<Claim>& claims, const std::string& caption) {
  if (claims.empty()) return;
  report::DataTable table;
  table.caption = caption;
  table.head = {"claim", "paper", "here", "verdict"};
  table.word_columns = table.head.size();
  report::Notes notes;
  for (const Claim& claim : claims)
    table.rows.push_back({claim.claim + mark(notes, claim.remark), claim.paper, claim.ours, verdict(claim)});
  blocks.emplace_back(std::move(table));
  if (!notes.items.empty()) blocks.emplace_back(std::move(notes));
}

bool begins_with_any(const Claim& claim, const std::vector<std::string>& beginnings) {
  return std::ranges::any_of(
      beginnings, [&](const std::string& beginning) { return claim.claim.starts_with(beginning); });
}

/// Takes the claims that a figure bears on out of those that are left.
std::vector<Claim> take_claims(std::vector<Claim>& left, const std::vector<std::string>& beginnings) {
  const auto rest = std::ranges::stable_partition(
      left, [&](const Claim& claim) { return !begins_with_any(claim, beginnings); });
  std::vector<Claim> taken(std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  left.erase(rest.begin(), rest.end());
  return taken;
}

report::Section study_section(const StudyReport& report, Show show) {
  const Study& study = report.study;
  const Showing showing =
      show(report.table, study.summarise ? study.summarise(report.table) : std::vector<NamedTable>{});
  std::vector<Claim> claims = study.claims ? study.claims(report.table) : std::vector<Claim>{};
  std::string origin = "From kore reproduce " + study.name + ".";
  if (!report.note.empty()) origin += " " + report.note;
  report::Section section{
      study.name, study.title, {report::Paragraph{showing.setting}, report::Paragraph{origin}}};
  for (const StudyFigure& shown : showing.figures) {
    section.blocks.emplace_back(shown.figure);
    add_claims(section.blocks, take_claims(claims, shown.claims),
               "What the paper says of it, and what came out here");
  }
  for (const report::DataTable& table : showing.tables) section.blocks.emplace_back(table);
  add_claims(section.blocks, claims, "What else the paper says, and what came out here");
  return section;
}

report::Section solving_section(const report::SolvedResolution& example) {
  return {"solving",
          "How a resolution is solved for",
          {report::Paragraph{"A spline with few intervals misses the shape of a function (bias), one with "
                             "many follows the noise (variance). A "
                             "search fits every resolution and takes the best. The paper's method fits two, "
                             "the pilots, and reads two constants off "
                             "their leave-one-out errors; the law of bias and variance then has a minimum "
                             "that can be solved for. A few fits "
                             "around the solution certify it."},
           solving_figure(example)}};
}

const StudyReport* find(std::span<const StudyReport> reports, const char* name) {
  const auto found =
      std::ranges::find_if(reports, [&](const StudyReport& report) { return report.study.name == name; });
  return found == reports.end() ? nullptr : &*found;
}

report::DataTable overview(std::span<const StudyReport> reports) {
  report::DataTable table;
  table.caption = "The experiments on this page";
  table.head = {"experiment", "claims that hold", "results"};
  table.word_columns = table.head.size();
  for (const Chapter& chapter : chapters)
    if (const StudyReport* report = find(reports, chapter.study)) {
      const Tally tally = tally_of(*report);
      table.rows.push_back({report->study.title,
                            {share_of(tally), tally.held == tally.judged ? Tone::good : Tone::plain},
                            report->study.file});
    }
  return table;
}

std::vector<Block> lead(std::span<const StudyReport> reports) {
  Tally all;
  for (const StudyReport& report : reports) {
    const Tally tally = tally_of(report);
    all.held += tally.held;
    all.judged += tally.judged;
  }
  std::vector<Block> blocks{report::Paragraph{"Every figure of the KORE paper that shows a synthetic result, "
                                              "drawn from experiments that were run again with this "
                                              "engine from the published seeds. A number of the paper holds "
                                              "if ours rounds to the same digits; where the "
                                              "paper has words, a remark says what they are held to."},
                            report::Paragraph{share_of(all) + " claims hold."}};
  if (!reports.empty()) blocks.emplace_back(overview(reports));
  std::string missing;
  for (const Chapter& chapter : chapters)
    if (!find(reports, chapter.study)) missing += std::string(missing.empty() ? "" : ", ") + chapter.study;
  if (!missing.empty())
    blocks.emplace_back(report::Paragraph{"Not run, and therefore not shown: " + missing + "."});
  return blocks;
}

}  // namespace

report::Page figures_page(std::span<const StudyReport> reports, const report::SolvedResolution& example) {
  report::Page page{
      "The paper\u2019s synthetic results, run again", lead(reports), {solving_section(example)}};
  for (const Chapter& chapter : chapters)
    if (const StudyReport* report = find(reports, chapter.study))
      page.sections.push_back(study_section(*report, chapter.show));
  return page;
}

}  // namespace kore::experiments
