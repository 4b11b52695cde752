#pragma once

#include "experiments/ranking/views.hpp"
#include "report/page.hpp"

/// The figures of the study on real data: a ranking in, charts out.
namespace kore::experiments {

/// Mean ranks with bootstrap intervals; a line where the critical difference from the best ends.
report::Json rank_chart(const Ranking& ranking, double difference);
/// Groups of methods that the Nemenyi test does not tell apart.
report::Json group_chart(const Ranking& ranking, double difference);
/// Adjusted p-values as bars, as powers of ten; colour by who is better.
report::Json significance_chart(const Ranking& ranking);
/// Counts of methods that the reference is better or worse than, over the weight of the time.
report::Json alpha_chart(const Ranking& ranking);
/// Error against time, both over those of the reference.
report::Json pareto_chart(const Ranking& ranking, const Table& pareto);
/// Mean ranks over classes of size; the reference stands out.
report::Json size_chart(const Ranking& ranking, const std::vector<SizeClass>& classes);
/// The reference's rank on each data set against the number of features.
report::Json feature_chart(const Ranking& ranking);
/// Lift of the reference against that of another method, data set by data set.
report::Json duel_chart(const Ranking& ranking, const std::string& other);
/// Lift ratios to several methods, a line per data set; lift below 1e-3 counts as 1e-3.
report::Json ratio_chart(const Ranking& ranking, const std::vector<std::string>& others);
/// Lift ratios to several methods, a line per method.
report::Json selector_chart(const Ranking& ranking, const std::vector<std::string>& others);
/// Peak memory from the median cell to the largest.
report::Json memory_chart(const Ranking& ranking);

/// What is known of the data sets beside the cells.
struct RankingPageOptions {
  Sizes sizes;             ///< Rows of each data set; empty: those that were trained on.
  std::string size_label;  ///< What they are.
};
/// The page `index.html` of a summary.
report::Page ranking_page(const Ranking& ranking, const RankingPageOptions& options = {});

}  // namespace kore::experiments
