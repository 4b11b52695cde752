#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kore/class_model.hpp"
#include "kore/encoding.hpp"
#include "kore/fit.hpp"
#include "kore/message.hpp"
#include "kore/phases.hpp"
#include "kore/rows.hpp"
#include "kore/table_model.hpp"
#include "table/feature_options.hpp"
#include "table/table_summary.hpp"

/// From a summarised table to a model, the same way for every front: the command, Python's tables in memory,
/// tables that are read in chunks, and tables on several machines. Fronts only find the rows, turn the user's
/// settings into `Options`, and word the notes.
namespace kore::table {

/// The default method, or the published one with its encoding.
enum class Profile { standard, paper };
const char* to_string(Profile profile);
/// "paper" is the published one; everything else the default.
Profile profile_named(const std::string& name);

/// A table that is ready for a fit, except for its rows.
struct Preparation {
  Profile profile = Profile::standard;
  TableSummary summary;
  Encoding encoding;
  std::vector<Message> notes;  ///< For the user: how the table was read.

  Names names() const { return names_of(encoding, summary.target); }
};

/// How many levels of a category have an effect of their own.
struct LevelOptions {
  std::optional<std::size_t> max_levels;  ///< As in `EncodingOptions`.
  /// The most columns of a model (`Options::max_columns`). Levels may take a fifth of them, so that there is
  /// room for everything else.
  std::size_t max_columns = Options{}.max_columns;
};

/// Decides how the columns become features. Throws as `make_encoding`.
Preparation prepare(TableSummary summary, Profile profile, const LevelOptions& levels = {});

/// Adds the notes that need the encoded rows: columns that equal others, numbers that look like codes, and
/// rows without a target.
void add_notes_on_rows(Preparation& prepared, const RowSource& rows);

/// The rows of a source in memory where they fit into `bytes`; otherwise the source, which reads them again
/// in every pass.
std::unique_ptr<RowSource> kept_in_memory(std::unique_ptr<RowSource> source, const Encoding& encoding,
                                          const TableSummary& summary, std::uint64_t bytes);

/// The profile's options.
Options profile_options(Profile profile);
/// Keeps fits within their share of a memory limit. It limits how many fits share a pass in the paper
/// profile, and how many columns a model may have in the default profile.
void limit_memory(Options& options, Profile profile, std::uint64_t memory_limit);
/// Adds to a user's options what follows from the columns: in the default profile, positions of levels are
/// categories, and a feature of two values is a straight line.
void complete(Options& options, const Preparation& prepared);

/// The family of classes, among the words of the option `family`: one binomial model for each.
inline constexpr std::string_view multinomial_word = "multinomial";

/// The family of a target that was called `word`: one of the option's words, or "auto", which takes the
/// binomial one for targets of two values that count as 0 and 1 and the normal one for all others. A target
/// of classes ("multinomial") is the binomial one for each class. Adds a note where that should be known.
Family choose_family(Preparation& prepared, const std::string& word);
/// How the family of this word takes an offset out of its target. (One that cannot is refused by
/// `set_family`.)
OffsetUse offset_use_of(std::string_view word);
/// Sets the family and what follows from exposures. Throws `invalid_argument` for families that the method or
/// the columns do not go with.
void set_family(Options& options, const Preparation& prepared, Family family);

/// Columns of the largest model that a fit of so many rows may try.
std::size_t most_columns(const Preparation& prepared, Options options, std::uint64_t rows);

/// A note, where a limit on columns has excluded models that would have been tried without it.
std::optional<Message> memory_note(const Options& options, const Model& model);

/// A note, where weights add up to less than half or more than twice the rows that have one: they may not
/// have been meant as counts. `weights` names their column and may be empty.
std::optional<Message> weight_note(const FitSummary& summary, std::string_view weights);

/// What a front adds to a fit.
struct FrontFacts {
  std::string origin;                           ///< Where the rows came from, as it appears in a sentence.
  std::chrono::steady_clock::time_point start;  ///< When the first row was read.
  std::function<std::string(const Message&)> words;  ///< How it words a note.
  /// If given, and there are too few rows for the pairs that were asked for, main effects are fitted alone,
  /// with a note that says why in these words. If not given, that is an error.
  std::function<std::string(const Message&)> why_no_pairs = {};
  std::vector<Phase> phases_before = {};  ///< How long reading and encoding took.
};

/// Fits the rows with these options, and stores with the model what the front knows about it.
TableModel train(const Preparation& prepared, const RowSource& rows, Options options,
                 const FrontFacts& front);

/// The same for a target of three classes or more, the preparation's `target_levels`, where the target of a
/// row is the position of its class: a binomial model of each class against all others. Where the table is
/// not in memory, they share their passes.
ClassModel train_classes(const Preparation& prepared, const RowSource& rows, const Options& options,
                         const FrontFacts& front);
/// What stands for no and yes in the model of one class.
std::vector<std::string> levels_of_class(const std::string& name);

}  // namespace kore::table
