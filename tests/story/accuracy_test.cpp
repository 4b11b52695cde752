// What is said about where a stated error comes from.
#include "story/accuracy.hpp"

#include <gtest/gtest.h>

#include "kore/fit.hpp"
#include "support/made_up_rows.hpp"

namespace kore::story {
namespace {

bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(HowMeasured, SaysWhetherTermsStayedThoseOfAllRows) {
  for (const std::size_t rows : {std::size_t{400}, std::size_t{1200}}) {
    const test::Rows table = test::made_up_rows(rows, 2, 77);
    const Model model = fit(table.view(), table.y);
    ASSERT_TRUE(model.summary.accuracy);
    EXPECT_EQ(model.summary.accuracy->terms_stay, rows > 900);
    const std::string words = how_measured(*model.summary.accuracy);
    EXPECT_EQ(says(words, "everything was repeated without each fold"), rows <= 900) << words;
    EXPECT_EQ(says(words, "smoothness, coefficients and the choice of the model were repeated"), rows > 900)
        << words;
  }
}

TEST(HowMeasured, IsKeptInTheModelFile) {
  const test::Rows table = test::made_up_rows(1200, 2, 77);
  const Model model = fit(table.view(), table.y);
  EXPECT_TRUE(model_from_bytes(to_bytes(model)).summary.accuracy->terms_stay);
}

}  // namespace
}  // namespace kore::story
