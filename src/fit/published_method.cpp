#include "base/parallel.hpp"
#include "fit/diagnosis.hpp"
#include "fit/method.hpp"
#include "fit/unpenalised_model.hpp"
#include "kore/error.hpp"
#include "pass/shifted_source.hpp"

namespace kore {
namespace {

constexpr std::size_t most_pairs = 64;  // that the automatic choice takes without screening

bool within(const BasisCount& size, int resolution, const Options& options) {
  return options.max_columns == 0 || size(resolution) <= static_cast<double>(options.max_columns);
}

std::vector<FeaturePair> discover(const RowSource& source, const Survey& data, const Options& options,
                                  const PublishedOptions& method, int threads) {
  ScreeningOptions screening;
  screening.degree = options.degree;
  screening.ridge = options.ridge;
  screening.relative_ridge = options.relative_ridge;
  screening.stability = options.stability;
  screening.threads = threads;
  return keep_pairs(screen_pairs(source, data.features, screening), method.discovery_threshold,
                    data.features.size());
}

std::vector<FeaturePair> pairs_for(const RowSource& source, const Survey& data, const Options& options,
                                   const PublishedOptions& method, int threads) {
  if (options.structure == StructureChoice::additive) return {};
  switch (options.pair_choice) {
    case PairChoice::none:
      return {};
    case PairChoice::given:
      return options.pairs;
    case PairChoice::all:
      return all_pairs(data.features.size());
    case PairChoice::discover:
      return discover(source, data, options, method, threads);
    case PairChoice::automatic:
      break;
  }
  std::vector<FeaturePair> every = all_pairs(data.features.size());
  const BasisCount size = basis_count(data.features, every, options.degree);
  if (every.size() <= most_pairs && size(1) < options.stability * data.weight_sum && within(size, 1, options))
    return every;
  return discover(source, data, options, method, threads);
}

Survey timed_survey(const RowSource& source, const Options& options, const Names& names) {
  const PhaseTimer timer(options.phases, "survey");
  return survey(source, options, names);
}

/// The additive and the pairwise models that compete, with the fits behind their curves.
class Competition {
 public:
  Competition(const RowSource& source, const PublishedOptions& method, const Options& options,
              const Names& names)
      : options_(options),
        method_(method),
        data_(timed_survey(source, options, names)),
        threads_(resolve_threads(options.threads)),
        source_(source, shift()),
        pairs_(pairs_for(source_, data_, options, method, threads_)),
        additive_(source_, settings(Structure::additive)),
        pairwise_(source_, settings(Structure::pairwise)),
        additive_curve_(additive_.curve(data_.weight_sum)),
        pairwise_curve_(pairwise_.curve(data_.weight_sum)) {}
  Competition(const Competition&) = delete;
  Competition& operator=(const Competition&) = delete;

  SelectorOptions selector(Structure structure) const {
    SelectorOptions selector;
    const bool additive = structure == Structure::additive;
    const BasisCount size = (additive ? additive_ : pairwise_).size();
    selector.max_resolution = additive ? options_.max_resolution_additive : options_.max_resolution_pairwise;
    if (size.order() == 0)
      selector.max_resolution = 1;  // all features are linear: the resolution has no effect
    while (selector.max_resolution > 1 && !within(size, selector.max_resolution, options_))
      --selector.max_resolution;
    selector.radius = additive ? method_.radius_additive : method_.radius_pairwise;
    selector.stability = options_.stability;
    selector.skip_if_unstable = !additive;
    selector.score_unstable = method_.score_unstable;
    return selector;
  }

  void run(FitSummary& summary) {
    const bool only_pairwise = options_.structure == StructureChoice::pairwise;
    if (!only_pairwise) summary.additive = select_resolution(additive_curve_, selector(Structure::additive));
    if (!pairs_.empty()) summary.pairwise = select_resolution(pairwise_curve_, selector(Structure::pairwise));
    if (only_pairwise && pairs_.empty())
      throw Error(ErrorCode::invalid_data, "no_pair_explains_enough",
                  "No pair of features was found: none explains at least {share} of what an additive fit "
                  "leaves, or the rows are too few to tell.",
                  {{"share", method_.discovery_threshold}});
    if (only_pairwise && (!summary.pairwise || summary.pairwise->skipped))
      throw Error(ErrorCode::too_few_rows, "too_few_rows_for_pairs",
                  "The rows are too few for the pairwise structure: even at resolution 1 it has {columns} "
                  "columns, which must be below {stability} times the number of rows.",
                  {{"columns", static_cast<long>(pairwise_.size()(1))}, {"stability", options_.stability}});
    summary.structure = only_pairwise ? Structure::pairwise : Structure::additive;
    if (summary.additive && summary.pairwise)
      summary.structure = choose_structure(*summary.additive, *summary.pairwise);
    const Selection& chosen =
        summary.structure == Structure::additive ? *summary.additive : *summary.pairwise;
    summary.resolution = chosen.resolution;
    summary.loo = chosen.loo;
    summary.fits =
        (summary.additive ? summary.additive->fits : 0) + (summary.pairwise ? summary.pairwise->fits : 0);
    summary.pairs = pairs_;
    if (summary.additive)
      summary.pilot_check = check_pilots(additive_curve_, selector(Structure::additive),
                                         data_.features.size(), summary.structure);
  }

  Fitted take(Structure structure, int resolution) {
    return structure == Structure::additive ? additive_.take(resolution) : pairwise_.take(resolution);
  }
  /// Leave-one-out error of straight lines in every feature that is not a category.
  double linear_loo() const {
    FamilySettings lines = settings(Structure::additive);
    lines.progress = {};
    for (Feature& feature : lines.features) {
      if (feature.kind == FeatureKind::spline) feature.kind = FeatureKind::linear;
      feature.warp = {};
    }
    return FamilyFits(source_, std::move(lines)).take(1).press.loo();
  }
  const Survey& data() const { return data_; }
  double shift() const { return method_.centre_target ? data_.target_mean : 0.0; }
  ResolutionCurve& additive_curve() { return additive_curve_; }

 private:
  FamilySettings settings(Structure structure) const {
    FamilySettings s = family_settings(data_, options_);
    s.structure = structure;
    s.additive_parametrisation = method_.additive_parametrisation;
    s.memory_budget = method_.memory_budget;
    if (structure == Structure::pairwise) s.pairs = pairs_;
    return s;
  }

  const Options& options_;
  const PublishedOptions& method_;
  Survey data_;
  int threads_;
  ShiftedSource source_;
  std::vector<FeaturePair> pairs_;
  FamilyFits additive_;
  FamilyFits pairwise_;
  ResolutionCurve additive_curve_;
  ResolutionCurve pairwise_curve_;
};

}  // namespace

Model fit_by(const PublishedOptions& method, const RowSource& source, const Options& options,
             const Names& names) {
  // A constant target is found by the survey, before any fit.
  Competition competition(source, method, options, names);
  const Survey& data = competition.data();
  if (data.target.lowest == data.target.highest) return constant_model(data, options, names);
  FitSummary summary;
  competition.run(summary);
  Fitted best = competition.take(summary.structure, summary.resolution);
  return model_of(std::move(best), std::move(summary), data, competition.shift(), options, names);
}

Diagnosis diagnose_by(const PublishedOptions& method, const RowSource& source, const Options& options,
                      const Names& names) {
  Competition competition(source, method, options, names);
  const Survey& data = competition.data();
  if (data.target.lowest == data.target.highest) refuse_to_diagnose_a_constant_target();
  Diagnosis diagnosis;
  FitSummary& summary = diagnosis.summary;
  competition.run(summary);
  diagnosis.pilots = *summary.pilot_check;
  diagnosis.advice = diagnosis.pilots.advice;
  const int g = summary.additive->resolution;
  Fitted additive = competition.take(Structure::additive, g);
  diagnosis.additive_signal_score = additive.press.signal_score();
  ResolutionCurve& curve = competition.additive_curve();
  const double here = curve.loo(g);
  const auto better = [&](int other) {
    return other >= 1 && other <= options.max_resolution_additive && curve.loo(other) < here;
  };
  diagnosis.bracketed = !better(g - 1) && !better(g + 1);
  diagnosis.use_kore = diagnosis.additive_signal_score > 1 && diagnosis.bracketed;
  const bool pairs = summary.structure == Structure::pairwise;
  record_fit(pairs ? competition.take(Structure::pairwise, summary.resolution) : std::move(additive), data,
             competition.shift(), options, summary);
  compare_with_lines(diagnosis, summary.loo, competition.linear_loo());
  return diagnosis;
}

}  // namespace kore
