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
    EXPECT_EQ(says(words, "the whole fit was repeated"), rows <= 900) << words;
    EXPECT_EQ(says(words, "smoothness, coefficients and the choice of the model were found again"),
              rows > 900)
        << words;
  }
}

TEST(HowMeasured, SaysWhatWasLeftOut) {
  Accuracy accuracy{.how = AccuracySource::folds, .rows = 398, .folds = 10};
  EXPECT_EQ(how_measured(accuracy),
            "398 rows: the whole fit was repeated 10 times, each time without a tenth of the rows, which it "
            "then predicted");
  accuracy.folds = 2;
  accuracy.terms_stay = true;
  EXPECT_EQ(how_measured(accuracy),
            "398 rows: smoothness, coefficients and the choice of the model were found again 2 times, each "
            "time without half of the rows, which were then predicted");
  accuracy.terms_stay = false;
  accuracy.folds = 12;
  EXPECT_TRUE(says(how_measured(accuracy), "without one of 12 parts of the rows,"));
  accuracy.groups = 40;
  accuracy.folds = 4;
  EXPECT_EQ(how_measured(accuracy),
            "398 rows of 40 groups: the whole fit was repeated 4 times, each time without a quarter of the "
            "groups, whose rows it then predicted");
  accuracy.groups = 4;
  EXPECT_TRUE(says(how_measured(accuracy), "each time without one group, whose rows it then predicted"));
}

TEST(LargestErrors, AreThoseOfTheLeftOutRowsOrUnsaid) {
  Model model = fit(test::made_up_rows(200, 1, 78).view(), test::made_up_rows(200, 1, 78).y);
  model.residual_spread = {};
  model.residual_quantiles = {-3.5, -1, 0, 2.25};
  model.summary.accuracy->rows = 4;
  EXPECT_EQ(largest_errors(model),
            "the largest errors on these rows are 3.5 below and 2.25 above the prediction");
  model.summary.accuracy->rows = 5000;
  EXPECT_EQ(largest_errors(model), "") << "quantiles of more rows do not end at the largest errors";
  model.summary.accuracy->rows = 4;
  model.target_scale = TargetScale::logarithm;
  EXPECT_EQ(largest_errors(model), "");
}

TEST(HowMeasured, IsKeptInTheModelFile) {
  const test::Rows table = test::made_up_rows(1200, 2, 77);
  const Model model = fit(table.view(), table.y);
  EXPECT_TRUE(model_from_bytes(to_bytes(model)).summary.accuracy->terms_stay);
}

}  // namespace
}  // namespace kore::story
