#include "cli/words.hpp"

#include "story/front_words.hpp"

namespace kore::cli {
namespace {

constexpr story::Wording wordings[]{
    {"too_many_pair_columns", "",
     "Give fewer pairs with --pairs; a higher --memory-limit allows 2500 at most."},
    {"too_many_main_columns", "",
     "Give fewer features (or levels); a higher --memory-limit allows 2500 at most."},
    {"no_pair_explains_enough", "", "Give the pairs with --pairs, or leave out --structure pairwise."},
    {"no_pair_found", "", "Leave out --structure pairwise."},
    {"too_few_rows_for_pairs", "", "Give fewer pairs with --pairs, or leave out --structure pairwise."},
    {"pairwise_without_pairs",
     "--structure is pairwise; it must be auto or additive where there are no pairs.", ""},
    {"max_order_forbids_pairs",
     "--max-order is 1; it must be 2 or 3 with given --pairs or --structure pairwise.", ""},
    {"published_method_too_large", "",
     "Compare with fewer columns, or without the limit, with --profile paper."},
    {"memory_limit_left_models_out", "", "A higher --memory-limit may give another model."},
};

}  // namespace

std::string in_words_of_the_command(const Message& message) { return story::worded(message, wordings); }

std::vector<std::string> in_words_of_the_command(const std::vector<Message>& messages) {
  std::vector<std::string> sentences;
  for (const Message& message : messages) sentences.push_back(in_words_of_the_command(message));
  return sentences;
}

}  // namespace kore::cli
