#include "experiments/honesty/page.hpp"

#include <algorithm>

namespace kore::experiments::honesty {
namespace {

std::string line_of(const std::vector<std::string>& fields) {
  std::string line = "|";
  for (const std::string& field : fields) line += " " + field + " |";
  return line + "\n";
}

constexpr const char* introduction = R"(# Honesty: does the model know its own error?

A model states an error, a verdict and intervals. This page compares them with rows that the fit has not
seen. `make honesty` measures everything again and renews this page. All random numbers come from the seeds
given below. Times are those of one fit on one thread, with another fit beside it.

Words used below:

- *True error*: root mean squared error (RMSE) on rows that the fit has not seen.
- *Stated error*: the RMSE that the model states for such rows. *True / stated* should be 1; above 1 the
  model promises too much.
- *Covered*: the share of new rows inside the interval. 90 % intervals should cover 0.90, also among the
  rows with the highest or lowest tenth of the predictions.
- *Geometric mean*: of ratios, so that twice and half cancel.
)";

std::string promises_text(std::span<const Section> sections) {
  MarkdownTable table({"what", "wanted", "measured", "held"});
  bool any = false;
  for (const Section& section : sections)
    for (const Promise& promise : section.promises) {
      table.add({promise.what, promise.wanted, promise.measured, promise.held ? "yes" : "**no**"});
      any = true;
    }
  return any ? "\n## What is promised\n\n" + table.text() : "";
}

}  // namespace

std::string MarkdownTable::text() const {
  std::vector<std::string> rule(heading_.size(), "--:");
  if (!rule.empty()) rule.front() = ":--";
  std::string text = line_of(heading_) + line_of(rule);
  for (const auto& row : rows_) text += line_of(row);
  return text;
}

std::string page_of(std::span<const Section> sections) {
  std::string page = introduction + promises_text(sections);
  for (const Section& section : sections) page += "\n## " + section.title + "\n\n" + section.text;
  return page;
}

}  // namespace kore::experiments::honesty
