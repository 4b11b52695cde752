// Completion as the shells see it, and help as people do.
#include "cli/run_command.hpp"
#include "kore/version.hpp"

namespace kore {
namespace {

class CompletionTest : public test::CommandTest {
 protected:
  /// What bash offers for the last of `words`, one candidate per line.
  std::string offered(const std::string& words) const {
    const auto outcome =
        shell("source <(" + std::string(KORE_COMMAND) + " completion bash)\n" + "COMP_WORDS=(" + words +
              "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n" + "_kore; printf '%s\\n' \"${COMPREPLY[@]}\"");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
};

const std::vector<std::string> commands{"fit",     "predict", "explain", "diagnose", "compare",
                                        "effects", "info",    "export",  "example",  "completion"};

TEST_F(CompletionTest, BashCompletesCommandsAndOptions) {
  EXPECT_EQ(offered("kore fi"), "fit\n");
  EXPECT_EQ(offered("kore fit --tar"), "--target\n");
  EXPECT_EQ(offered("kore fit data.csv --max-g"), "--max-g-additive\n--max-g-pairwise\n");
  EXPECT_EQ(offered("kore predict --inter"), "--interval\n");
  EXPECT_EQ(offered("kore info --tar"), "\n") << "an option of another command";
  EXPECT_EQ(offered("kore fit --fam"), "--family\n");
  for (const std::string& command : commands) EXPECT_SAYS(offered("kore ''"), command + "\n");
}

TEST_F(CompletionTest, BashCompletesFiles) {
  folder.write("flats.csv", "");
  folder.write("flats.kore", "");
  EXPECT_EQ(offered("kore fit flats.c"), "flats.csv\n");
}

TEST_F(CompletionTest, BashCompletesValues) {
  folder.write("paper.csv", "");
  EXPECT_EQ(offered("kore fit --profile pa"), "paper\n");
  EXPECT_EQ(offered("kore fit --structure ''"), "auto\nadditive\npairwise\n");
  EXPECT_EQ(offered("kore effects x.kore --format j"), "json\n");
  EXPECT_EQ(offered("kore example fran"), "franke\n");
  EXPECT_EQ(offered("kore completion z"), "zsh\n");
  EXPECT_EQ(offered("kore example franke -o pa"), "paper.csv\n") << "a file, though the command takes a name";
  EXPECT_EQ(offered("kore fit --json pa"), "paper.csv\n") << "a flag has no value";
  EXPECT_EQ(offered("kore fit --target pa"), "paper.csv\n");
}

TEST_F(CompletionTest, ZshKnowsWhichOptionsTakeAValue) {
  const std::string script = kore({"completion", "zsh"}).out;
  EXPECT_SAYS(script, "'--json[One JSON object instead of text]' ");
  EXPECT_SAYS(script, "'-q[Print nothing but errors]' ");
  EXPECT_SAYS(script, ":value:(default paper)'");
  EXPECT_SAYS(script, ":value:(auto additive pairwise)'");
  EXPECT_SAYS(script, "'--target[The column to predict]:value:_files'");
  EXPECT_SAYS(script, "'*:SHELL:(bash zsh)'");
  EXPECT_SAYS(script, "'*:NAME:(nguyen-1 ");
}

TEST_F(CompletionTest, BashRegistersTheFunction) {
  const auto outcome = shell("source <(" + std::string(KORE_COMMAND) + " completion bash); complete -p kore");
  EXPECT_SAYS(outcome.out, "-F _kore kore");
}

TEST_F(CompletionTest, ZshScriptIsValid) {
  folder.write("_kore", kore({"completion", "zsh"}).out);
  EXPECT_EQ(folder.read("_kore").rfind("#compdef kore\n", 0), 0U);
  if (shell("command -v zsh").status != 0) GTEST_SKIP() << "there is no zsh on this machine";
  const auto checked = shell("zsh -n _kore");
  EXPECT_EQ(checked.status, 0) << checked.err;
}

TEST_F(CompletionTest, HelpOfEveryCommandShowsAnExample) {
  for (const std::string& command : commands) {
    const std::string help = kore({command, "--help"}).out;
    EXPECT_SAYS(help, "Example");
    EXPECT_SAYS(help, "kore " + command);
    EXPECT_SAYS(kore({"--help"}).out, "  " + command + " ");
  }
}

TEST_F(CompletionTest, HelpCallsArgumentsByWordsOfPeople) {
  const std::string help = kore({"fit", "--help"}).out;
  for (const char* words :
       {"DATA (required)", "--target TEXT (required)", "--degree N", "--profile default|paper"})
    EXPECT_SAYS(help, words);
  for (const std::string& command : commands)
    for (const char* word : {"INT", "REQUIRED", "TEXT:"})
      EXPECT_FALSE(test::contains(kore({command, "--help"}).out, word)) << command << " " << word;
}

TEST_F(CompletionTest, VersionIsThatOfTheLibrary) {
  EXPECT_EQ(kore({"--version"}).out, std::string(version) + "\n");
}

}  // namespace
}  // namespace kore
