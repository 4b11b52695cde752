#include "fit/grow_settings.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

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

ScoreOf score_of(const GrowingRows& rows) {
  if (rows.linked()) return ScoreOf::deviance;
  return rows.scale() == TargetScale::logarithm     ? ScoreOf::logarithm
         : rows.scale() == TargetScale::square_root ? ScoreOf::square_root
                                                    : ScoreOf::target;
}

/// Parts of the rows that the referee has left out, of how many.
struct PartsLeftOut {
  std::size_t done = 0;
  std::size_t count = 0;
};

/// Tells the caller about fits of a growth, whose losses are in squares of the rows' unit. `parts` are those
/// of the referee; null for other fits.
GrowthProgress progress_of(const Options& options, const GrowingRows& rows,
                           std::shared_ptr<const PartsLeftOut> parts) {
  if (!options.progress) return {};
  return [&options, square = rows.unit() * rows.unit(), score_of = score_of(rows), parts = std::move(parts)](
             std::size_t, int resolution, const Stage& stage) {
    const FitScore score{stage.function->design.columns(), stage.loo() * square, stage.press.loss * square,
                         stage.press.max_leverage};
    Progress progress{structure_of(stage), resolution, score, parts != nullptr};
    if (parts) {
      progress.parts_done = parts->done;
      progress.parts = parts->count;
    }
    progress.score_of = score_of;
    options.progress(progress);
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
  const auto parts = std::make_shared<PartsLeftOut>();
  grow.progress = progress_of(options, rows, nullptr);
  grow.fold_progress = progress_of(options, rows, parts);
  grow.folds_done = [parts](std::size_t done, std::size_t count) { *parts = {done, count}; };
  return grow;
}

}  // namespace kore
