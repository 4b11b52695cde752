// The command as it is built for those who do not want the paper's experiments.
#include "cli/run_command.hpp"

namespace kore {
namespace {

class WithoutExperimentsTest : public test::CommandTest {};

TEST_F(WithoutExperimentsTest, HelpListsTheOtherCommandsAlone) {
  const std::string help = kore({"--help"}).out;
  EXPECT_SAYS(help, "example");
  EXPECT_EQ(help.find("reproduce"), std::string::npos) << help;
  EXPECT_EQ(help.find("study"), std::string::npos) << help;
}

TEST_F(WithoutExperimentsTest, TheirCommandsAreUnknown) {
  EXPECT_EQ(run({"reproduce", "noise", "-o", "out"}).status, 2);
  EXPECT_EQ(run({"study", "summarize", "cells.csv", "-o", "out"}).status, 2);
}

}  // namespace
}  // namespace kore
