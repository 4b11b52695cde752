#include "fit/grow_settings.hpp"

#include <cmath>
#include <limits>

#include "fit/grown_summary.hpp"

namespace kore {
namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// How many columns interactions may have, so that rows times columns squared stay within the allowed work.
std::size_t affordable_interactions(const GrownOptions& method, const Survey& data) {
  const double columns = std::sqrt(method.interaction_work / static_cast<double>(data.rows));
  constexpr double beyond_any = 1e15;
  return method.interaction_work == 0 || columns > beyond_any ? no_limit : static_cast<std::size_t>(columns);
}

/// Tells the caller about fits of a growth, whose losses are in squares of `unit`.
GrowthProgress progress_of(const Options& options, double unit, bool referee) {
  if (!options.progress) return {};
  return [&options, square = unit * unit, referee](std::size_t, int resolution, const Stage& stage) {
    const FitScore score{stage.function->design.columns(), stage.loo() * square, stage.press.loss * square,
                         stage.press.max_leverage};
    options.progress({structure_of(stage), resolution, score, referee});
  };
}

}  // namespace

GrowOptions grow_options(const GrownOptions& method, const Options& options, const GrowingRows& rows) {
  const Survey& data = rows.data();
  GrowOptions grow;
  const bool no_pairs = options.structure == StructureChoice::additive ||
                        options.pair_choice == PairChoice::none ||
                        (options.pair_choice == PairChoice::given && options.pairs.empty());
  grow.max_order = no_pairs ? 1 : static_cast<std::size_t>(method.max_order);
  grow.given = options.pairs;
  grow.all_pairs = options.pair_choice == PairChoice::all;
  grow.interactions_only = options.structure == StructureChoice::pairwise;
  grow.max_resolution_main = options.max_resolution_additive;
  grow.max_resolution_pair = options.max_resolution_pairwise;
  grow.stability = options.stability;
  grow.max_terms = static_cast<std::size_t>(method.max_terms);
  grow.few_terms = method.simplest && method.folds != 1;  // without a referee nothing could choose them
  grow.max_columns = options.max_columns > 0 ? options.max_columns : no_limit;
  // A table that needs no sample is short enough for any interaction.
  if (data.rows > method.structure_rows) grow.interaction_columns = affordable_interactions(method, data);
  grow.progress = progress_of(options, rows.unit(), false);
  grow.fold_progress = progress_of(options, rows.unit(), true);
  return grow;
}

}  // namespace kore
