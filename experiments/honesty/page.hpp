#pragma once

#include <span>
#include <string>
#include <vector>

namespace kore::experiments::honesty {

/// A table of the page. The first column holds names, the others numbers.
class MarkdownTable {
 public:
  explicit MarkdownTable(std::vector<std::string> heading) : heading_(std::move(heading)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::string> heading_;
  std::vector<std::vector<std::string>> rows_;
};

/// A number that the engine is held to, and what came out.
struct Promise {
  std::string what;
  std::string wanted;
  std::string measured;
  bool held = false;
};

/// One part of the study: its title, what was done, the tables.
struct Section {
  std::string title;
  std::string text;
  std::vector<Promise> promises = {};
};

/// The whole page: what is promised first, then the sections.
std::string page_of(std::span<const Section> sections);

}  // namespace kore::experiments::honesty
