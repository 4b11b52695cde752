#include "story/terms_table.hpp"

#include <gtest/gtest.h>

#include "kore/model.hpp"

namespace kore::story {
namespace {

Model two_lines() {
  Design design({{"a", {0, 1}, FeatureKind::linear}, {"b", {0, 1}, FeatureKind::linear}},
                {{{0}, {1}}, {{1}, {1}}}, 1, Parametrisation::centred);
  Model model{design, Extrapolation::linear, 0, {0, 0, 0, 0}, "y", {}, {}, {}, {}, {}, {}};
  model.effects.resize(2);
  model.effects[0].share = model.effects[0].covariance_share = 0.25;
  model.effects[1].share = model.effects[1].covariance_share = 0.75;
  return model;
}

TEST(TermsTable, HasTheTestsOfTheTermsTheMostImportantFirst) {
  Model model = two_lines();
  model.effects[0].parameters = 0.96;
  model.effects[0].p_value = 0.0321;
  model.effects[0].concurvity = 0.125;
  model.effects[1].p_value = 1e-9;
  const std::string text = terms_table(as_fitted(model), 2);
  EXPECT_NE(text.find("parameters  p if no effect  concurvity"), std::string::npos) << text;
  EXPECT_NE(text.find("< 0.001"), std::string::npos) << text;
  EXPECT_NE(text.find("0.032"), std::string::npos) << text;
  EXPECT_LT(text.find("\nb "), text.find("\na ")) << text;
  EXPECT_EQ(terms_note(as_fitted(model)).find("\n-: not known"), std::string::npos);
  model.effects[1].p_value = Effect::unknown;
  EXPECT_NE(terms_note(as_fitted(model)).find("\n-: not known. "), std::string::npos)
      << "the table has a dash, and nobody says what it means";
}

TEST(TermsTable, HasNoColumnsForWhatIsNotKnown) {
  const std::string text = terms_table(as_fitted(two_lines()), 2);
  EXPECT_EQ(text.find("concurvity"), std::string::npos) << text;
  EXPECT_TRUE(terms_note(as_fitted(two_lines())).empty());
}

TEST(TermsTable, SaysHowManyItLeavesOut) {
  EXPECT_NE(terms_table(as_fitted(two_lines()), 1).find("and 1 more"), std::string::npos);
}

}  // namespace
}  // namespace kore::story
