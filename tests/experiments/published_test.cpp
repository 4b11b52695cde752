// Cells of every experiment beside the published results, which are not part of the project.
#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/check.hpp"
#include "experiments/report.hpp"
#include "experiments/studies/studies.hpp"

namespace kore::experiments {
namespace {

std::filesystem::path results() { return std::filesystem::path(KORE_SHARED_DIR) / "reference" / "results"; }

class PublishedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(results() / "law_collapse.csv"))
      GTEST_SKIP() << "the published result files are not here: " << results();
  }

  /// Computes the cells of a study whose names `wanted` likes and expects the published rows.
  template <class Wanted>
  static void expect_published_rows(const Study& study, std::size_t rows, const Wanted& wanted) {
    Table ours{study.column_names(), {}};
    for (const Cell& cell : study.cells)
      if (wanted(cell.names.front()))
        for (Row& row : cell.compute(1)) ours.rows.push_back(std::move(row));
    const Comparison comparison = compare(study, ours, read_table(results() / study.file));
    EXPECT_EQ(comparison.rows, rows);
    EXPECT_GT(comparison.selections, 0U);
    EXPECT_EQ(comparison.agreeing, comparison.selections);
    EXPECT_TRUE(comparison.holds()) << testing::PrintToString(disagreement_lines(comparison));
  }
};

TEST_F(PublishedTest, ThinCellsOfTheLaw) {
  expect_published_rows(law_study(1), 10, [](const Row& name) {
    return name[1] == "10" && std::stoi(name[2]) <= 240 && name[2] != "60";
  });
}

TEST_F(PublishedTest, ASmallTaskOfEachFamilyOfTheFrontier) {
  expect_published_rows(frontier_study(1), 2, [](const Row& name) { return name[1] == "10"; });
}

TEST_F(PublishedTest, TheBenchmarksInOneAndTwoDimensionsAndFriedman) {
  expect_published_rows(benchmark_study(1), 9, [](const Row& name) {
    return name[0].find("Sparse") == std::string::npos && name[0] != "Friedman-2 (4D)";
  });
}

TEST_F(PublishedTest, AllThresholdsOfADiscovery) {
  expect_published_rows(discovery_study(1), 8,
                        [](const Row& name) { return name[0] == "10" && name[1] != "480"; });
}

TEST_F(PublishedTest, TheSmallestCellsOfTheScaling) {
  expect_published_rows(scaling_study(1), 2, [](const Row& name) { return name[1] == "10"; });
}

TEST_F(PublishedTest, TheWholeNoiseSweep) {
  expect_published_rows(noise_study(5), 40, [](const Row&) { return true; });
}

TEST_F(PublishedTest, SmallSizesOfTheConsistency) {
  expect_published_rows(consistency_study(3), 9, [](const Row& name) { return std::stoi(name[1]) <= 1200; });
}

TEST_F(PublishedTest, EverySummaryFollowsFromItsRows) {
  std::size_t summaries = 0;
  for (const StudyEntry& entry : study_list()) {
    const Study study = entry.make(entry.seeds);
    if (!study.summarise || !std::filesystem::exists(results() / study.file)) continue;
    const Table rows = read_table(results() / study.file);
    ASSERT_EQ(rows.columns, study.column_names());
    EXPECT_EQ(rows.rows.size(), study.cells.size());
    for (const NamedTable& summary : study.summarise(rows)) {
      SCOPED_TRACE(summary.file);
      ++summaries;
      const Table published = read_table(results() / summary.file);
      EXPECT_EQ(summary.table.columns, published.columns);
      ASSERT_EQ(summary.table.rows.size(), published.rows.size());
      for (std::size_t r = 0; r < published.rows.size(); ++r)
        for (const std::string& column : published.columns) {
          const std::string& ours = summary.table.text(r, column);
          const std::string& theirs = published.text(r, column);
          if (ours == theirs) continue;
          EXPECT_NEAR(relative_difference(summary.table.number(r, column), published.number(r, column)), 0,
                      1e-9)
              << column << ": " << ours << " and " << theirs;
        }
    }
  }
  EXPECT_EQ(summaries, 7U);
}

TEST_F(PublishedTest, DerivedColumnsFollowFromTheirRows) {
  const Study study = consistency_study(20);
  const Table published = read_table(results() / study.file);
  Table ours = published;
  study.derive(ours);
  const Comparison comparison = compare(study, ours, published);
  EXPECT_EQ(comparison.rows, 140U);
  EXPECT_LT(comparison.others.value, 1e-4) << comparison.others.column << " at " << comparison.others.cell;
}

TEST_F(PublishedTest, RowsAreInTheOrderOfTheCells) {
  for (const StudyEntry& entry : study_list()) {
    const Study study = entry.make(entry.seeds);
    if (!std::filesystem::exists(results() / study.file)) continue;
    const Table published = read_table(results() / study.file);
    std::vector<Row> names;
    for (const Cell& cell : study.cells) names.insert(names.end(), cell.names.begin(), cell.names.end());
    std::vector<Row> there;
    for (const Group& group : group_by(published, study.columns_with(Role::name))) there.push_back(group.key);
    EXPECT_EQ(names, there) << study.file;
  }
}

TEST(Studies, WithoutPublishedFilesHaveTheirColumnsAndCells) {
  EXPECT_EQ(robustness_study(5).cells.size(), 40U);
  EXPECT_EQ(robustness_study(5).column_names(),
            (Row{"scenario", "d", "seed", "n_train", "kore_rmse", "kore_G", "kore_structure", "cv_rmse",
                 "cv_G", "cv_structure", "disc_rmse"}));
  EXPECT_EQ(degree_study(5).cells.size(), 105U);
  EXPECT_EQ(degree_study(5).column_names(), (Row{"degree", "smoothness_order", "d", "density", "n_train",
                                                 "seed", "G_dagger", "G_star", "fits"}));
  EXPECT_EQ(concentration_study(100).cells.size(), 6U);
  EXPECT_EQ(concentration_study(100).column_names(),
            (Row{"n", "std_A_hat", "std_tau_hat", "predicted_envelope_A", "predicted_envelope_tau"}));
}

TEST(Robustness, UnderCorrectAssumptionsAgreesWithCrossValidation) {
  const Study study = robustness_study(1);
  const auto cell = std::ranges::find_if(study.cells, [](const Cell& c) {
    return c.names[0] == Row{"correct (control)", "12", "0"};
  });
  const Table table{study.column_names(), cell->compute(1)};
  EXPECT_EQ(table.number(0, "n_train"), 1440);
  EXPECT_EQ(table.text(0, "kore_structure"), "pairwise");
  EXPECT_EQ(table.text(0, "cv_structure"), "pairwise");
  EXPECT_LT(relative_difference(table.number(0, "kore_rmse"), table.number(0, "cv_rmse")), 1e-6);
  EXPECT_EQ(table.text(0, "disc_rmse"), "");
}

TEST(Concentration, ShrinksWithTheRows) {
  const Study study = concentration_study(20);
  const Table small{study.column_names(), study.cells[0].compute(1)};
  const Table large{study.column_names(), study.cells[3].compute(1)};
  EXPECT_EQ(small.text(0, "n"), "300");
  EXPECT_EQ(large.text(0, "n"), "2400");
  EXPECT_LT(large.number(0, "std_tau_hat"), 0.6 * small.number(0, "std_tau_hat"));
}

TEST(Degree, SolvesForTheResolutionAtEveryDegree) {
  const Study study = degree_study(1);
  for (const Cell& cell : study.cells) {
    if (cell.names[0][2] != "60") continue;
    const Table table{study.column_names(), cell.compute(1)};
    EXPECT_GT(table.number(0, "G_dagger"), 1);
    EXPECT_LE(table.number(0, "G_star"), 40);
    EXPECT_EQ(table.number(0, "smoothness_order"), table.number(0, "degree") + 1);
  }
}

}  // namespace
}  // namespace kore::experiments
