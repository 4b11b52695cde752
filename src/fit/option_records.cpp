#include "fit/option_records.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "base/number_text.hpp"
#include "kore/basis.hpp"

namespace kore {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_finite = std::numeric_limits<double>::max();
constexpr int largest_int = std::numeric_limits<int>::max();

/// Words for enumerations, in their order.
const std::vector<std::string_view>& words_for(StructureChoice) {
  static const std::vector<std::string_view> words{"auto", "additive", "pairwise"};
  return words;
}
const std::vector<std::string_view>& words_for(PairChoice) {
  static const std::vector<std::string_view> words{"auto", "all", "none", "given", "discover"};
  return words;
}
const std::vector<std::string_view>& words_for(Loss) {
  static const std::vector<std::string_view> words{"squared", "robust"};
  return words;
}
const std::vector<std::string_view>& words_for(Family) {
  static const std::vector<std::string_view> words{"normal", "binomial", "poisson", "gamma",
                                                   "negative_binomial"};
  return words;
}
const std::vector<std::string_view>& words_for(Extrapolation) {
  static const std::vector<std::string_view> words{"continue_polynomial", "linear", "constant", "error"};
  return words;
}
const std::vector<std::string_view>& words_for(Parametrisation) {
  static const std::vector<std::string_view> words{"first_block_full", "centred"};
  return words;
}

const std::vector<std::string_view>& words_for(TargetScale) {
  static const std::vector<std::string_view> words{
      word_for(TargetScale::automatic), word_for(TargetScale::identity), word_for(TargetScale::square_root),
      word_for(TargetScale::logarithm)};
  return words;
}

template <class T>
OptionValue value_of(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return {value ? "true" : "false"};
  else if constexpr (std::is_enum_v<T>)
    return {std::string(words_for(value).at(static_cast<std::size_t>(value)))};
  else if constexpr (std::is_integral_v<T>)
    return {std::to_string(value), static_cast<double>(value)};
  else if constexpr (std::is_floating_point_v<T>)
    return {number_text(value), value};
  else if constexpr (std::is_same_v<T, std::function<void(const Progress&)>>)
    return {value ? "set" : "none"};
  else
    return {value.empty() ? "empty" : std::to_string(value.size()) + " long"};
}

template <class T>
struct MemberOf;
template <class Struct, class Field>
struct MemberOf<Field Struct::*> {
  using Owner = Struct;
};

/// Reads one member, of the options that all methods share or of those of one method.
template <auto member>
std::optional<OptionValue> read(const Options& options) {
  using Owner = typename MemberOf<decltype(member)>::Owner;
  if constexpr (std::is_same_v<Owner, Options>) {
    return value_of(options.*member);
  } else {
    const Owner* method = std::get_if<Owner>(&options.method);
    if (method == nullptr) return std::nullopt;
    return value_of(method->*member);
  }
}

template <auto member>
OptionRecord record(std::string_view name, OptionType type, std::string_view sentence) {
  using Owner = typename MemberOf<decltype(member)>::Owner;
  OptionRecord made;
  made.name = name;
  made.type = type;
  made.owner = std::is_same_v<Owner, GrownOptions>       ? OptionOwner::default_method
               : std::is_same_v<Owner, PublishedOptions> ? OptionOwner::published_method
                                                         : OptionOwner::every_method;
  made.sentence = sentence;
  made.value = read<member>;
  return made;
}

/// Adds the names that the command and Python use for the option.
OptionRecord known_as(OptionRecord made, std::string_view flag, std::string_view python) {
  made.flag = flag;
  made.python = python;
  return made;
}

template <auto member>
OptionRecord integer(std::string_view name, double lowest, double highest, std::string_view sentence) {
  OptionRecord made = record<member>(name, OptionType::integer, sentence);
  made.lowest = lowest;
  made.highest = highest;
  return made;
}

template <auto member>
OptionRecord number(std::string_view name, double lowest, double highest, std::string_view sentence) {
  OptionRecord made = record<member>(name, OptionType::number, sentence);
  made.lowest = lowest;
  made.highest = highest;
  return made;
}

template <auto member, class Enumeration>
OptionRecord choice(std::string_view name, Enumeration any, std::string_view sentence) {
  OptionRecord made = record<member>(name, OptionType::choice, sentence);
  made.choices = words_for(any);
  return made;
}

template <auto member>
OptionRecord flag(std::string_view name, std::string_view sentence) {
  return record<member>(name, OptionType::flag, sentence);
}

template <auto member>
OptionRecord list(std::string_view name, std::string_view sentence) {
  return record<member>(name, OptionType::list, sentence);
}

OptionRecord stability_record() {
  OptionRecord made = number<&Options::stability>(
      "stability", 0, 1, "A fit without penalty has fewer columns than this share of the number of rows.");
  made.ends_excluded = true;
  return made;
}

OptionRecord dispersion_record() {
  OptionRecord made = number<&GrownOptions::dispersion>(
      "dispersion", 0, infinity,
      "Of the Poisson family: the ratio of variance to mean. Rates have one over the mean exposure.");
  made.ends_excluded = true;
  return made;
}

std::vector<OptionRecord> shared_records() {
  using O = Options;
  return {
      known_as(integer<&O::degree>("degree", 1, max_degree, "Degree of the splines."), "--degree", "degree"),
      known_as(choice<&O::structure>("structure", StructureChoice{},
                                     "What may be fitted. additive: a curve for every feature and nothing "
                                     "else; pairwise: only models with interactions; auto: what predicts "
                                     "left-out rows best."),
               "--structure", "structure"),
      known_as(choice<&O::pair_choice>(
                   "pair_choice", PairChoice{},
                   "Which pairs of features may interact. auto: those that explain most; all; none; given: "
                   "the ones in `pairs`; discover: those that explain what main effects leave."),
               "--pairs", "pairs"),
      known_as(list<&O::pairs>("pairs", "The pairs that may interact, where `pair_choice` is given."),
               "--pairs", "pairs"),
      known_as(integer<&O::max_resolution_additive>("max_resolution_additive", 1, max_intervals,
                                                    "Largest number of knot intervals tried in a curve."),
               "--max-g-additive", "max_G_add"),
      known_as(integer<&O::max_resolution_pairwise>(
                   "max_resolution_pairwise", 1, max_intervals,
                   "Largest number of knot intervals tried along each side of a pair's surface."),
               "--max-g-pairwise", "max_G_pair"),
      stability_record(),
      known_as(integer<&O::max_columns>("max_columns", 0, infinity,
                                        "Models with more columns are not tried; 0 is no limit."),
               "--max-columns", "max_columns"),
      known_as(
          number<&O::ridge>("ridge", 0, largest_finite, "Added to the diagonal of the normal equations."), "",
          "ridge"),
      flag<&O::relative_ridge>("relative_ridge", "The ridge is a multiple of the mean diagonal entry."),
      number<&O::inverse_limit>("inverse_limit", 0, infinity,
                                "Leverages come from the inverse matrix, which is fast, while it inflates "
                                "rounding errors by less than this; beyond it from triangular solves."),
      choice<&O::extrapolation>("extrapolation", Extrapolation{},
                                "How a curve continues outside the range of the training rows."),
      list<&O::ranges>("ranges", "Where the knots of each feature lie, instead of the range of its values."),
      list<&O::kinds>("kinds", "Of each feature: a spline, a straight line or a category."),
      list<&O::levels>("levels", "Of each feature that is a category: how many levels it has."),
      flag<&O::intervals>("intervals",
                          "Keep the distribution of the leave-one-out residuals, for prediction intervals."),
      known_as(integer<&O::threads>("threads", 0, largest_int,
                                    "Threads; 0: all cores. The result does not depend on it."),
               "--threads", "n_jobs"),
      record<&O::progress>("progress", OptionType::function, "Called after every fit."),
  };
}

std::vector<OptionRecord> method_records() {
  using G = GrownOptions;
  using P = PublishedOptions;
  return {
      known_as(integer<&G::max_order>("max_order", 1, 3,
                                      "How many features may act together in one term: 1 (no interactions), "
                                      "2 (pairs) or 3 (triples too)."),
               "--max-order", ""),
      integer<&G::structure_rows>("structure_rows", 100, infinity,
                                  "Rows that decide on the structure; of a longer table a sample does."),
      number<&G::interaction_work>("interaction_work", 0, infinity,
                                   "Where a sample decides, rows times the squared number of columns of all "
                                   "interactions stay below this; 0 is no limit."),
      known_as(
          integer<&G::folds>("folds", 0, 1000,
                             "Parts of the rows without which the whole procedure is repeated, to choose "
                             "the model and to state its error. 0: as many as suit the rows; 1: none."),
          "--referee-folds", ""),
      flag<&G::level_outside>(
          "level_outside",
          "Where the rows have noise, curves stay level outside the range of the training "
          "rows, if extrapolation is linear."),
      known_as(choice<&G::loss>("loss", Loss{},
                                "What is minimised. squared: squared errors; robust: a loss that levels off, "
                                "so that gross errors in the target cannot bend the fit."),
               "--robust", "loss"),
      known_as(choice<&G::target_scale>(
                   "target_scale", TargetScale{},
                   "The scale on which the target is a sum of terms; predictions are means in its own units. "
                   "identity: as it is; sqrt: its square root; log: its logarithm, so that effects multiply; "
                   "auto: what predicts left-out rows best."),
               "--scale", "target_scale"),
      known_as(choice<&G::family>(
                   "family", Family{},
                   "The distribution of the target. normal: any number; binomial: yes or no; poisson: "
                   "counts; negative_binomial: counts that vary by more; gamma: positive amounts whose "
                   "deviation grows with their mean."),
               "--family", "family"),
      known_as(
          flag<&G::simplest>("simplest",
                             "Take the simplest model whose error on left-out rows is within one standard "
                             "error of the best one's. Models of a few terms then compete too."),
          "--simple", "simple"),
      known_as(
          integer<&G::max_terms>("max_terms", 0, 1e6,
                                 "The most terms of a model: those that matter most are kept, and fitted "
                                 "again without the others. 0: no limit."),
          "--terms", "max_terms"),
      known_as(list<&G::periods>("periods",
                                 "Of each feature: after how much its values begin again, such as 24 for "
                                 "hours, so that curves meet themselves; 0 where they do not."),
               "--cyclic", "features"),
      known_as(
          list<&G::max_resolutions>("max_resolutions",
                                    "Of each feature: the largest resolution of its curves and surfaces; "
                                    "0 is no limit of its own."),
          "--max-resolution", "features"),
      dispersion_record(),
      known_as(integer<&P::radius_additive>("radius_additive", 0, max_intervals,
                                            "Resolutions fitted on either side of the solved one, of main "
                                            "effects."),
               "", "radius"),
      known_as(integer<&P::radius_pairwise>("radius_pairwise", 0, max_intervals,
                                            "Resolutions fitted on either side of the solved one, of pairs."),
               "", "radius"),
      flag<&P::score_unstable>(
          "score_unstable",
          "Report the leave-one-out error where the rows are too few for any resolution; "
          "otherwise it is infinite."),
      choice<&P::additive_parametrisation>(
          "additive_parametrisation", Parametrisation{},
          "Columns of the additive structure; both span the same functions."),
      integer<&P::memory_budget>("memory_budget", 0, infinity,
                                 "Bytes of the fits that share a pass over rows outside memory."),
      number<&P::discovery_threshold>(
          "discovery_threshold", 0, 1,
          "Least share of the residual variance that a discovered pair explains."),
      flag<&P::centre_target>("centre_target",
                              "Subtract the target's mean before the fit and add it to the prediction."),
  };
}

}  // namespace

std::span<const OptionRecord> option_records() {
  static const std::vector<OptionRecord> records = [] {
    std::vector<OptionRecord> all = shared_records();
    for (OptionRecord& record : method_records()) all.push_back(std::move(record));
    return all;
  }();
  return records;
}

const OptionRecord& option_record(std::string_view name) {
  const auto records = option_records();
  const auto found = std::ranges::find(records, name, &OptionRecord::name);
  if (found == records.end()) throw std::out_of_range("no option " + std::string(name));
  return *found;
}

bool in_range(const OptionRecord& record, double number) {
  return record.ends_excluded ? number > record.lowest && number < record.highest
                              : number >= record.lowest && number <= record.highest;
}

}  // namespace kore
