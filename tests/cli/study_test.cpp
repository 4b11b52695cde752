// `kore study summarize`: statistics of a table of cells.
#include "cli/run_command.hpp"
#include "ranking/made_up_cells.hpp"

namespace kore {
namespace {

using experiments::MadeUpCell;

class StudyTest : public test::CommandTest {
 protected:
  void write_cells(const std::vector<MadeUpCell>& cells) const {
    folder.write("cells.csv", experiments::to_csv(experiments::made_up_cells(cells)));
  }
};

TEST_F(StudyTest, WritesEverySummaryFile) {
  write_cells(experiments::small_study());
  const auto outcome = kore({"study", "summarize", "cells.csv", "-o", "out"});
  EXPECT_SAYS(outcome.out, "3 methods on 3 data sets");
  EXPECT_SAYS(outcome.out, "Friedman chi-square 6.000, p = 0.05");
  for (const char* file :
       {"real_data_summary.csv", "real_data_ranks.csv", "real_data_friedman.json",
        "real_data_significance.csv", "real_data_joint_significance.csv", "real_data_bootstrap_ranks.csv",
        "real_data_pareto.csv", "real_data_subset.csv", "real_data_threshold_sensitivity.csv",
        "real_data_failure_modes.csv", "method_failure_fractions.csv", "index.html"})
    EXPECT_TRUE(folder.names().contains(std::string("out/") + file)) << file;
}

TEST_F(StudyTest, TakesAnotherWeightAndReference) {
  write_cells(experiments::small_study());
  kore({"study", "summarize", "cells.csv", "-o", "out", "--alpha", "0", "--reference", "xgboost", "-q"});
  EXPECT_SAYS(folder.read("out/real_data_ranks.csv"), "mean_rank,n_datasets,k_methods\nxgboost,");
  EXPECT_SAYS(folder.read("out/real_data_pareto.csv"), "kore,family of kore,xgboost,2.0");
}

TEST_F(StudyTest, RefusesInASentenceAndWritesNothing) {
  std::vector<MadeUpCell> cells = experiments::small_study();
  cells.pop_back();
  cells.push_back(cells.front());
  write_cells(cells);
  const auto twice = run({"study", "summarize", "cells.csv", "-o", "out"});
  EXPECT_EQ(twice.status, 2);
  EXPECT_SAYS(twice.err, "The cell of 'linear' on 'a' with seed 0 is in the table twice.");
  folder.write("cells.csv", "dataset,method\na,b\n");
  EXPECT_SAYS(run({"study", "summarize", "cells.csv", "-o", "out"}).err, "no column 'family'");
  write_cells({{"a", "kore", 0, 0.5}, {"a", "linear", 0, 0.2}});
  EXPECT_SAYS(run({"study", "summarize", "cells.csv", "-o", "out"}).err, "at least three methods");
  EXPECT_EQ(folder.names(), std::set<std::string>{"cells.csv"});
}

}  // namespace
}  // namespace kore
