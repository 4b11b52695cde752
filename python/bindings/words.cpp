#include "bindings/words.hpp"

#include "story/front_words.hpp"

namespace kore::python {
namespace {

constexpr story::Wording wordings[]{
    {"too_many_pair_columns", "", "Give fewer pairs."},
    {"too_many_main_columns", "", "Give fewer features (or levels)."},
    {"pairwise_without_pairs", "There is no pair of features.", ""},
    {"published_method_too_large", "",
     "Compare with fewer columns, or without the limit, with profile='paper'."},
    {"text_is_mostly_numbers", "",
     "Turn it into numbers, treat it as a category with categorical_features=['{column}'], or leave it out."},
    {"text_is_formatted_numbers", "", "Turn it into numbers, or leave it out."},
    {"rare_levels_grouped", "", "max_levels= sets how many levels have an effect of their own."},
    {"too_many_levels", "", "Leave it out, or use the default profile, which groups rare levels."},
    {"numbers_are_codes", "", "categorical_features=['{column}'] gives each of them an effect of its own."},
    {"category_of_numbers", "", "If they are amounts, turn the column into numbers."},
    {"column_numbers_rows", "", "If it says nothing about new ones, leave it out."},
    {"weights_far_from_rows", "",
     "If they are precisions, of which only the ratios matter, give them as precision."},
    {"groups_of_another_method",
     "profile='paper' chooses by leave-one-out over single rows and cannot leave groups out; the default "
     "profile "
     "can.",
     ""},
    {"repeated_column", "", "Leave one of them out."},
};

}  // namespace

std::string worded(const Message& message) { return story::worded(message, wordings); }

std::string statement(const Message& message) { return story::statement(message, wordings); }

}  // namespace kore::python
