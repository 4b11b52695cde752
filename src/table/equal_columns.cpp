#include "table/equal_columns.hpp"

#include <algorithm>

#include "pass/survey_passes.hpp"

namespace kore::table {
namespace {

/// Up to so many equal columns have a sentence each.
constexpr std::size_t most_notes = 5;

/// Two columns of the encoding, and the features that are made of each.
struct Candidate {
  std::size_t first = 0;
  std::size_t second = 0;
  std::vector<std::size_t> first_features = {};
  std::vector<std::size_t> second_features = {};
  bool equal = true;
};

bool may_be_equal(const ColumnSummary& a, const ColumnSummary& b) {
  if (a.is_category() != b.is_category() || a.missing != b.missing) return false;
  if (a.is_category()) return a.distinct == b.distinct;
  return a.type == b.type && a.minimum == b.minimum && a.maximum == b.maximum && a.median == b.median;
}

std::vector<std::size_t> features_of_column(const Encoding& encoding, std::size_t column) {
  std::vector<std::size_t> features;
  for (std::size_t j = 0; j < encoding.features.size(); ++j)
    if (encoding.features[j].column == column) features.push_back(j);
  return features;
}

std::vector<Candidate> candidates(std::span<const ColumnSummary> columns, const Encoding& encoding) {
  std::vector<const ColumnSummary*> summaries;
  for (const EncodedColumn& used : encoding.columns) {
    const auto found = std::ranges::find(columns, used.name, &ColumnSummary::name);
    summaries.push_back(found == columns.end() ? nullptr : &*found);
  }
  std::vector<Candidate> found;
  for (std::size_t b = 1; b < summaries.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      if (summaries[a] == nullptr || summaries[b] == nullptr) continue;
      // Positions of levels mean the same only where the levels are the same.
      if (encoding.columns[a].levels != encoding.columns[b].levels ||
          encoding.columns[a].rare != encoding.columns[b].rare || !may_be_equal(*summaries[a], *summaries[b]))
        continue;
      Candidate candidate{a, b, features_of_column(encoding, a), features_of_column(encoding, b)};
      candidate.equal = candidate.first_features.size() == candidate.second_features.size();
      found.push_back(std::move(candidate));
    }
  return found;
}

/// Compares all features of all candidates in one pass over the rows.
void compare(std::vector<Candidate>& candidates, const RowSource& rows) {
  std::vector<EqualFeaturesPass::Pair> pairs;
  for (const Candidate& candidate : candidates)
    for (std::size_t f = 0; f < candidate.first_features.size() && candidate.equal; ++f)
      pairs.emplace_back(candidate.first_features[f], candidate.second_features[f]);
  EqualFeaturesPass pass(rows.columns(), std::move(pairs));
  rows.run(pass, 1);
  std::size_t at = 0;
  for (Candidate& candidate : candidates) {
    if (!candidate.equal) continue;
    for (std::size_t f = 0; f < candidate.first_features.size(); ++f)
      candidate.equal = pass.equal(at++) && candidate.equal;
  }
}

}  // namespace

std::vector<Message> equal_column_notes(std::span<const ColumnSummary> columns, const Encoding& encoding,
                                        const RowSource& rows) {
  std::vector<Candidate> pairs = candidates(columns, encoding);
  if (pairs.empty()) return {};
  compare(pairs, rows);
  std::vector<Message> notes;
  std::size_t repeated = 0;
  std::size_t last = encoding.columns.size();
  for (const Candidate& candidate : pairs) {
    if (!candidate.equal || candidate.second == last) continue;
    last = candidate.second;  // one sentence for each, with the first that it repeats
    if (++repeated > most_notes) continue;
    notes.emplace_back(
        "repeated_column",
        "Column '{column}' has the same values as column '{other}' in every row, so that their "
        "effects cannot be told apart.",
        std::vector<Argument>{{"column", encoding.columns[candidate.second].name},
                              {"other", encoding.columns[candidate.first].name}});
  }
  if (repeated > most_notes)
    notes.emplace_back("more_repeated_columns", "Of the other columns, {columns} repeat another one too.",
                       std::vector<Argument>{{"columns", repeated - most_notes}});
  return notes;
}

}  // namespace kore::table
