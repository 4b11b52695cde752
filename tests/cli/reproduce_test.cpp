// `kore reproduce`: the paper's experiments, resumable and checked against result files.
#include "cli/run_command.hpp"

namespace kore {
namespace {

class ReproduceTest : public test::CommandTest {
 protected:
  void run_noise() const { kore({"reproduce", "noise", "-o", "out", "--seeds", "1"}); }
};

TEST_F(ReproduceTest, WritesRowsSummariesAndThePaperBesideThem) {
  const auto outcome = kore({"reproduce", "noise", "-o", "out", "--seeds", "2"});
  EXPECT_SAYS(outcome.out, "noise: 16 cells in ");
  EXPECT_EQ(folder.names(), (std::set<std::string>{"out", "out/index.html", "out/noise_sweep.csv",
                                                   "out/noise_sweep_summary.csv", "out/reproduction.md"}));
  EXPECT_EQ(test::read_csv_text(folder.path("out/noise_sweep.csv")).size(), 16U);
  for (const char* page : {"out/reproduction.md", "out/index.html"})
    EXPECT_SAYS(folder.read(page), "With 2 seeds where the published run has 5.");
  EXPECT_SAYS(outcome.out, "Its figures: out/index.html");
}

TEST_F(ReproduceTest, IsInTheHelpBesideTheStudy) {
  const std::string help = kore({"--help"}).out;
  EXPECT_SAYS(help, "reproduce");
  EXPECT_SAYS(help, "study");
}

TEST_F(ReproduceTest, GoesOnWhereItWasStopped) {
  run_noise();
  const std::string before = folder.read("out/noise_sweep.csv");
  const auto outcome = kore({"reproduce", "noise", "-o", "out", "--seeds", "2", "--threads", "1"});
  EXPECT_SAYS(outcome.out, "noise: 8 cells in ");
  EXPECT_SAYS(outcome.out, "8 were there already");
  for (const auto& line : test::csv_fields(before)) {
    std::string text;
    for (const std::string& field : line) text += (text.empty() ? "" : ",") + field;
    EXPECT_SAYS(folder.read("out/noise_sweep.csv"), text + "\n");
  }
}

TEST_F(ReproduceTest, ExitsWithZeroWhereAllAgreeAndWithOneWhereASelectionDoesNot) {
  run_noise();
  std::filesystem::create_directory(folder.path("reference"));
  std::filesystem::copy(folder.path("out/noise_sweep.csv"), folder.path("reference/noise_sweep.csv"));
  const auto same = kore({"reproduce", "noise", "-o", "out", "--seeds", "1", "--check", "reference"});
  EXPECT_SAYS(same.out, "8 of 8");
  EXPECT_SAYS(same.out, "32 of 32");
  EXPECT_SAYS(folder.read("out/reproduction.md"), "Against the published result files");

  std::string text = folder.read("reference/noise_sweep.csv");
  const auto line = text.find("0,10,200,1.6,");
  ASSERT_NE(line, std::string::npos);
  const auto selections = text.find(",1,0,", line);  // bracketed, but not to be used
  ASSERT_NE(selections, std::string::npos);
  text.replace(selections, 5, ",1,1,");
  folder.write("reference/noise_sweep.csv", text);
  const auto other = run({"reproduce", "noise", "-o", "out", "--seeds", "1", "--check", "reference"});
  EXPECT_EQ(other.status, 1);
  EXPECT_SAYS(other.out, "noise (0, 10, 1.6): use_kore is 0 here and 1 there");
  EXPECT_SAYS(other.err, "Not all results agree");
}

TEST_F(ReproduceTest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(run({"reproduce", "gravity", "-o", "out"}).status, 2);
  EXPECT_EQ(run({"reproduce", "noise"}).status, 2) << "no folder";
  EXPECT_EQ(run({"reproduce", "noise", "-o", "out", "--seeds", "0"}).status, 2);
  const auto outcome = run({"reproduce", "noise", "-o", "out", "--check", "nowhere"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_SAYS(outcome.err, "'nowhere'");
  EXPECT_TRUE(folder.names().empty()) << "nothing was begun";
}

}  // namespace
}  // namespace kore
