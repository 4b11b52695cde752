// What the summary and the report say and a reader may not know is in the glossary.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace kore::test {
namespace {

namespace fs = std::filesystem;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string content(const fs::path& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  return lower({std::istreambuf_iterator<char>(in), {}});
}

/// What is defined: words in bold.
bool defines(const std::string& glossary, const std::string& word) {
  return glossary.find("**" + word + ".") != std::string::npos ||
         glossary.find("**" + word + "**") != std::string::npos ||
         glossary.find("**" + word + " (") != std::string::npos ||
         glossary.find("**" + word + ",") != std::string::npos;
}

TEST(Glossary, HasTheTechnicalWordsOfSummaryAndReport) {
  const fs::path root = KORE_PROJECT_DIR;
  const std::string glossary = content(root / "docs/glossary.md");
  std::string said;
  for (const char* room : {"src/story", "src/report"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / room))
      if (entry.path().extension() == ".cpp") said += content(entry.path());
  for (const char* word : {"auc",
                           "roc",
                           "brier score",
                           "log loss",
                           "rootogram",
                           "gains",
                           "rmse",
                           "mae",
                           "r²",
                           "precision",
                           "recall",
                           "condition number",
                           "stability margin",
                           "leverage",
                           "effective parameters",
                           "concurvity",
                           "deviance",
                           "share",
                           "pilot",
                           "verdict",
                           "interval",
                           "band",
                           "calibration",
                           "exposure",
                           "dispersion",
                           "interaction"}) {
    EXPECT_TRUE(defines(glossary, word)) << word;
    EXPECT_NE(said.find(word), std::string::npos) << word << " is not said any more";
  }
  EXPECT_FALSE(defines(glossary, "a word that nobody says"));
}

}  // namespace
}  // namespace kore::test
