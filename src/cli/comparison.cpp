#include "cli/comparison.hpp"

#include "cli/words.hpp"
#include "kore/error.hpp"
#include "table/owned_rows.hpp"

namespace kore::cli {
namespace {

/// The rows as a profile encodes them, with its options.
struct ProfileRows {
  ProfileRows(const OpenedTable& table, TrainingArguments arguments, Profile wanted) {
    arguments.profile = wanted;
    if (wanted == Profile::paper) {  // the paper profile does not have these options
      arguments.max_order.reset();
      arguments.folds.reset();
      arguments.robust = false;
      arguments.simple = false;
      arguments.max_terms.reset();
      arguments.max_levels.reset();
      arguments.scale.reset();
      arguments.cyclic.clear();
      arguments.max_resolutions.clear();
    }
    if (arguments.family != "auto" && arguments.family != "normal")
      throw Error(
          ErrorCode::invalid_argument, "family_not_compared",
          "--family {family} cannot be compared: the paper profile and the classical criteria know the "
          "normal family only.",
          {{"family", arguments.family}});
    arguments.family = "normal";
    data = encode_training_table(table, arguments);
    options = engine_options(arguments, data.prepared);
  }

  Contender contender(ProgressLine& progress) const {
    const auto* rows = dynamic_cast<const table::OwnedRows*>(data.rows.get());
    if (rows == nullptr)
      throw Error(ErrorCode::invalid_argument, "rows_not_in_memory",
                  "Cross-validation needs the table in memory, and it is larger than the memory limit. Raise "
                  "--memory-limit, or compare on a part of the rows.");
    Contender contender{rows->block(), options, data.prepared.names()};
    contender.options.progress = progress.fits();
    return contender;
  }

  TrainingData data;
  Options options;
};

}  // namespace

Comparison compare_on(const TrainingArguments& arguments, int folds, std::uint32_t seed,
                      ProgressLine& progress) {
  if (!arguments.columns.group.empty())
    throw Error(
        ErrorCode::invalid_argument, "comparison_of_groups",
        "A comparison leaves rows out one by one and cannot leave whole groups out: it takes no --group. "
        "'kore fit' and 'kore diagnose' do.");
  progress.show("reading " + arguments.data);
  const OpenedTable table = open_training_table(arguments);
  const ProfileRows standard(table, arguments, Profile::standard);
  const ProfileRows paper(table, arguments, Profile::paper);
  // Both get the same limit on columns; `--profile paper` asks for no limit.
  const bool unlimited = arguments.profile == Profile::paper;
  const CompareOptions options{folds, seed, unlimited ? 0 : standard.options.max_columns};
  return {compare_methods(standard.contender(progress), paper.contender(progress), options,
                          [&progress](const std::string& stage) { progress.show(stage); }),
          in_words_of_the_command((unlimited ? paper : standard).data.prepared.notes), options.max_columns};
}

}  // namespace kore::cli
