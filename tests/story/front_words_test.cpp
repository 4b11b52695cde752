#include "story/front_words.hpp"

#include <gtest/gtest.h>

#include <array>

namespace kore::story {
namespace {

constexpr std::array<Wording, 2> wordings{
    {{"too_wide", "", "Give fewer columns with --drop {name}."}, {"no_pairs", "--pairs names {count}.", ""}}};

TEST(FrontWords, AddAdviceToTheEnginesSentence) {
  const Message message("too_wide", "Column '{name}' is too wide.", {{"name", "x"}});
  EXPECT_EQ(worded(message, wordings), "Column 'x' is too wide. Give fewer columns with --drop x.");
}

TEST(FrontWords, LeaveAdviceOutWhereNobodyNeedsIt) {
  const Message message("too_wide", "Column '{name}' is too wide.", {{"name", "x"}});
  EXPECT_EQ(statement(message, wordings), "Column 'x' is too wide.");
  EXPECT_EQ(statement({"no_pairs", "There are {count} pairs.", {{"count", 0}}}, wordings),
            "--pairs names 0.");
}

TEST(FrontWords, ReplaceTheEnginesSentence) {
  EXPECT_EQ(worded({"no_pairs", "There are {count} pairs.", {{"count", 0}}}, wordings), "--pairs names 0.");
}

TEST(FrontWords, KeepWhatTheyDoNotKnow) {
  EXPECT_EQ(worded({"other", "Something else."}, wordings), "Something else.");
}

}  // namespace
}  // namespace kore::story
