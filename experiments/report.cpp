#include "experiments/report.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace kore::experiments {
namespace {

std::string in_one_digit(double value) {
  if (value == 0) return "0";
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, 0)
          .ptr;
  return {buffer.data(), end};
}

std::string of(std::size_t part, std::size_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

std::string place(const LargestDifference& difference) {
  if (difference.value == 0) return "0";
  return in_one_digit(difference.value) + " (" + difference.column + ": " + difference.cell + ")";
}

/// A bar would end the cell of a table.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

std::string markdown_line(const Row& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + escaped(cell) + " |";
  return line + "\n";
}

std::string markdown_table(const std::vector<Row>& lines) {
  std::string text = markdown_line(lines.front());
  text += markdown_line(Row(lines.front().size(), "---"));
  for (std::size_t i = 1; i < lines.size(); ++i) text += markdown_line(lines[i]);
  return text + "\n";
}

std::string verdict(const Claim& claim) {
  if (!claim.holds) return "";
  return *claim.holds ? "yes" : "**no**";
}

std::string claims_section(const StudyReport& report, const std::vector<Claim>& claims) {
  const Study& study = report.study;
  std::vector<Row> lines{{"claim", "paper", "here", "holds"}};
  std::vector<std::string> remarks;
  for (const Claim& claim : claims) {
    std::string note;
    if (!claim.remark.empty()) {
      remarks.push_back(claim.remark);
      note = " [" + std::to_string(remarks.size()) + "]";
    }
    lines.push_back({claim.claim + note, claim.paper, claim.ours, verdict(claim)});
  }
  std::string text =
      "## " + study.title + "\n\n`kore reproduce " + study.name + "`, `" + study.file + "`\n\n";
  if (!report.note.empty()) text += report.note + "\n\n";
  text += markdown_table(lines);
  for (std::size_t i = 0; i < remarks.size(); ++i)
    text += "- [" + std::to_string(i + 1) + "] " + remarks[i] + "\n";
  return remarks.empty() ? text : text + "\n";
}

std::string comparison_section(std::span<const StudyReport> reports) {
  const bool compared =
      std::ranges::any_of(reports, [](const StudyReport& report) { return report.comparison.has_value(); });
  if (!compared) return "";
  std::string text = "## Against the published result files\n\n" + markdown_table(comparison_lines(reports));
  text +=
      "Selections are structures, resolutions, counts of fits and of pairs; they must be equal, and every "
      "RMSE and "
      "estimate must agree to " +
      in_one_digit(allowed_difference) +
      ". Other numbers include those derived from a whole table, of which a few are differences of nearly "
      "equal numbers.\n";
  for (const StudyReport& report : reports) {
    if (!report.comparison || report.comparison->disagreements.empty()) continue;
    text += "\nDisagreements in " + report.study.name + ":\n\n";
    for (const std::string& line : disagreement_lines(*report.comparison)) text += "- " + line + "\n";
  }
  return text;
}

}  // namespace

std::vector<Row> comparison_lines(std::span<const StudyReport> reports) {
  std::vector<Row> lines{
      {"experiment", "rows", "selections that agree", "largest RMSE difference", "largest other difference"}};
  for (const StudyReport& report : reports) {
    if (!report.comparison) continue;
    const Comparison& comparison = *report.comparison;
    if (!comparison.has_reference)
      lines.push_back({report.study.name, "no file", "", "", ""});
    else
      lines.push_back({report.study.name, of(comparison.rows, comparison.published),
                       of(comparison.agreeing, comparison.selections), place(comparison.errors),
                       place(comparison.others)});
  }
  return lines;
}

std::vector<std::string> disagreement_lines(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const Disagreement& difference : comparison.disagreements)
    lines.push_back(comparison.study + " (" + difference.cell + "): " + difference.column + " is " +
                    difference.ours + " here and " + difference.published + " there" +
                    (difference.remark.empty() ? "" : "; " + difference.remark));
  return lines;
}

Tally tally_of(std::span<const Claim> claims) {
  Tally tally;
  for (const Claim& claim : claims) {
    if (!claim.holds) continue;
    ++tally.judged;
    tally.held += *claim.holds ? 1 : 0;
  }
  return tally;
}

Tally tally_of(const StudyReport& report) {
  if (!report.study.claims) return {};
  return tally_of(report.study.claims(report.table));
}

std::string reproduction_page(std::span<const StudyReport> reports) {
  Tally all;
  std::string sections;
  for (const StudyReport& report : reports) {
    if (!report.study.claims) continue;
    const std::vector<Claim> claims = report.study.claims(report.table);
    const Tally tally = tally_of(claims);
    all.held += tally.held;
    all.judged += tally.judged;
    sections += claims_section(report, claims);
  }
  std::string text =
      "# Reproduction of the paper\n\n"
      "Written by `kore reproduce`: every synthetic experiment of the paper, run again with the paper "
      "profile of this "
      "engine from the published seeds. A number of the paper holds if ours rounds to the same digits; where "
      "the paper "
      "has words instead, the margin they are held to is stated. Numbers beside a claim refer to the remarks "
      "below its "
      "table.\n\n";
  text += "**" + of(all.held, all.judged) +
          " claims hold.** Where one does not, its remark says what the published result files " +
          "tell.\n\n";
  return text + sections + comparison_section(reports);
}

}  // namespace kore::experiments
