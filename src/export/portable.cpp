#include "export/portable.hpp"

#include <algorithm>
#include <map>

#include "kore/error.hpp"
#include "table/predict_rows.hpp"

namespace kore::portable {
namespace {

InputKind kind_of(const table::EncodedColumn& column) {
  if (column.category) return InputKind::category;
  switch (column.type) {
    case table::ColumnType::boolean:
      return InputKind::boolean;
    case table::ColumnType::date:
      return InputKind::date;
    case table::ColumnType::timestamp:
      return InputKind::timestamp;
    default:
      return InputKind::number;
  }
}

Curve::Outside outside_of(Extrapolation extrapolation, const UniformBasis& basis) {
  const bool straight = basis.degree() == 1 && basis.resolution() == 1;
  if (straight || extrapolation == Extrapolation::continue_polynomial) return Curve::Outside::polynomial;
  return extrapolation == Extrapolation::linear ? Curve::Outside::tangent : Curve::Outside::level;
}

Curve curve_of(const Model& model, const Marginal& marginal) {
  const Knots& knots = marginal.basis.knots();
  Curve curve;
  if (marginal.argument == BasisArgument::warped) curve.warp = model.design.features()[marginal.feature].warp;
  if (marginal.cyclic()) curve.period = knots.last - knots.first;
  curve.first = knots.first;
  curve.scale = knots.intervals / (knots.last - knots.first);
  curve.intervals = knots.intervals;
  curve.degree = marginal.basis.degree();
  curve.outside = marginal.cyclic() ? Curve::Outside::level : outside_of(model.extrapolation, marginal.basis);
  return curve;
}

/// The value of a feature where its column has this code.
double feature_value(const table::EncodedColumn& column, const table::EncodedFeature& feature,
                     std::size_t code) {
  if (!column.category) return static_cast<double>(code);  // a flag: 1 where the value is missing
  const std::size_t levels = column.levels.size();
  const bool missing = code == levels;
  const bool other = code == levels + 1;
  switch (feature.kind) {
    case table::EncodedKind::missing_flag:
      return missing ? 1 : 0;
    case table::EncodedKind::indicator:
      return !missing && feature.level == (other ? levels : code) ? 1 : 0;
    default:
      return static_cast<double>(other ? levels + (column.has_missing ? 1 : 0) : code);
  }
}

double argument_of(const Feature& feature, BasisArgument argument, double value) {
  if (argument == BasisArgument::plain) return value;
  if (argument == BasisArgument::around) return into_period(feature.range, value);
  return argument == BasisArgument::place ? place_among(feature.repeated, value) : feature.warp(value);
}

CodeTable code_table(const table::TableModel& fitted, const Marginal& marginal) {
  const table::EncodedFeature& encoded = fitted.encoding.features[marginal.feature];
  const table::EncodedColumn& column = fitted.encoding.columns[encoded.column];
  const Feature& feature = fitted.model.design.features()[marginal.feature];
  const std::size_t codes = column.category ? column.levels.size() + 2 : 2;
  CodeTable table;
  table.functions = static_cast<std::size_t>(marginal.basis.functions());
  table.width = static_cast<std::size_t>(marginal.basis.degree()) + 1;
  const Extrapolation outside =
      fitted.model.extrapolation == Extrapolation::error ? Extrapolation::linear : fitted.model.extrapolation;
  for (std::size_t code = 0; code < codes; ++code) {
    const double value = feature_value(column, encoded, code);
    const LocalBasis local = marginal.basis.evaluate(argument_of(feature, marginal.argument, value), outside);
    table.first.push_back(static_cast<std::size_t>(local.cell));
    table.values.emplace_back(local.value.begin(),
                              local.value.begin() + static_cast<std::ptrdiff_t>(table.width));
  }
  return table;
}

Axis axis_of(const table::TableModel& fitted, const Marginal& marginal) {
  const table::EncodedFeature& encoded = fitted.encoding.features[marginal.feature];
  Axis axis;
  axis.input = encoded.column;
  if (encoded.kind != table::EncodedKind::numeric)
    axis.table = code_table(fitted, marginal);
  else if (marginal.argument == BasisArgument::place)
    axis.single = SingleValues{fitted.model.design.features()[marginal.feature].repeated};
  else
    axis.curve = curve_of(fitted.model, marginal);
  return axis;
}

Input input_of(const table::TableModel& fitted, std::size_t column) {
  const table::EncodedColumn& from = fitted.encoding.columns[column];
  Input input{from.name, kind_of(from), from.type, from.median};
  if (from.category) input.levels = from.levels;
  for (std::size_t j = 0; j < fitted.encoding.features.size(); ++j) {
    const table::EncodedFeature& feature = fitted.encoding.features[j];
    const Range& range = fitted.model.design.features()[j].range;
    if (feature.column == column && feature.kind == table::EncodedKind::numeric &&
        !fitted.model.design.features()[j].cyclic && fitted.model.extrapolation == Extrapolation::error &&
        range.lowest < range.highest)
      input.allowed = range;
  }
  return input;
}

Link link_of(const Model& model) {
  if (model.linked()) return model.family == "binomial" ? Link::logit : Link::logarithm;
  const TargetScale scale = model.target_scale;
  return scale == TargetScale::logarithm     ? Link::logarithm
         : scale == TargetScale::square_root ? Link::square_root
                                             : Link::identity;
}

std::string name_of(const Model& model, const Term& term) {
  std::string name;
  for (const std::size_t feature : term.features)
    name += (name.empty() ? "" : " x ") + model.design.features()[feature].name;
  return name;
}

/// Numbers things in the order in which they are first asked for.
class Numbering {
 public:
  std::size_t operator()(std::size_t from) {
    const auto [known, added] = places_.emplace(from, order_.size());
    if (added) order_.push_back(from);
    return known->second;
  }
  const std::vector<std::size_t>& order() const { return order_; }

 private:
  std::map<std::size_t, std::size_t> places_;
  std::vector<std::size_t> order_;
};

bool vanishes(const Design& design, std::size_t term) {
  return std::ranges::any_of(design.term_marginals(term),
                             [&](std::size_t m) { return design.marginals()[m].basis.constant(); });
}

/// A term with the places of its axes, which `place_of` knows by the marginals of the design.
Part part_of(const Design& design, std::size_t term, const std::vector<double>& coefficients,
             std::string name, auto&& place_of) {
  const auto first = coefficients.begin() + static_cast<std::ptrdiff_t>(design.raw_offset(term));
  Part part{std::move(name), {}, {first, first + static_cast<std::ptrdiff_t>(design.raw_term_columns(term))}};
  for (const std::size_t m : design.term_marginals(term)) part.axes.push_back(place_of(m));
  return part;
}

/// The marginal of the fitted design that one of the parts of its effects is made of.
std::size_t same_marginal(const Design& fitted, const Marginal& wanted) {
  const auto found = std::ranges::find_if(fitted.marginals(), [&](const Marginal& m) {
    return m.feature == wanted.feature && m.argument == wanted.argument &&
           m.basis.degree() == wanted.basis.degree() && m.basis.resolution() == wanted.basis.resolution();
  });
  if (found == fitted.marginals().end())
    throw Error(ErrorCode::corrupt_file, "foreign_effect",
                "The KORE model is inconsistent: its purified effects are not made of its terms.");
  return static_cast<std::size_t>(found - fitted.marginals().begin());
}

void add_effects(const Model& model, Numbering& marginals, Sum& sum) {
  const Decomposition shown = decomposition(model);
  sum.constant = shown.constant;
  for (std::size_t t = 0; t < shown.terms.size(); ++t) {
    ReadableEffect effect{
        name_of(model, {shown.terms[t].features, {}}), shown.effects[t].covariance_share, {}};
    for (const std::size_t part : shown.terms[t].parts)
      if (!vanishes(shown.design, part))
        effect.parts.push_back(
            part_of(shown.design, part, shown.coefficients, effect.name, [&](std::size_t m) {
              return marginals(same_marginal(model.design, shown.design.marginals()[m]));
            }));
    if (!effect.parts.empty()) sum.effects.push_back(std::move(effect));
  }
}

/// Exposures and offsets are a number more; a row without one counts as one unit, or as no offset.
void add_known_part(const table::FitFacts& facts, Portable& portable) {
  const std::string& column = table::known_column(facts);
  if (column.empty()) return;
  using enum KnownPart::Use;
  const KnownPart::Use use = facts.offset.empty()                               ? factor
                             : facts.offset_use == table::OffsetUse::subtracted ? summand
                                                                                : exponential;
  portable.known = KnownPart{portable.inputs.size(), use};
  portable.inputs.push_back(
      {column, InputKind::number, table::ColumnType::number, table::usual_known_part(facts)});
}

}  // namespace

const char* word_for(InputKind kind) {
  constexpr std::array words{"number", "boolean", "date", "timestamp", "category"};
  return words.at(static_cast<std::size_t>(kind));
}

const char* word_for(Curve::Outside outside) {
  constexpr std::array words{"polynomial", "tangent", "level"};
  return words.at(static_cast<std::size_t>(outside));
}

const char* word_for(Link link) {
  constexpr std::array words{"identity", "sqrt", "log", "logit"};
  return words.at(static_cast<std::size_t>(link));
}

const char* word_for(KnownPart::Use use) {
  constexpr std::array words{"factor", "summand", "exponential"};
  return words.at(static_cast<std::size_t>(use));
}

std::size_t Axis::functions() const {
  if (curve) return static_cast<std::size_t>(curve->functions());
  return single ? single->values.size() + 1 : table->functions;
}

std::size_t Axis::width() const {
  if (curve) return static_cast<std::size_t>(curve->degree) + 1;
  return single ? 1 : table->width;
}

Portable portable_of(const table::TableModel& fitted) {
  const Model& model = fitted.model;
  const Design& design = model.design;
  Portable portable;
  portable.target = model.target;
  portable.link = link_of(model);
  portable.refuses_outside = model.extrapolation == Extrapolation::error;
  Sum sum;
  sum.intercept = model.intercept;
  if (portable.link != Link::identity) sum.shift = model.mean_shift;
  sum.limits = model.prediction_limits;
  Numbering marginals;
  for (std::size_t t = 0; t < design.terms().size(); ++t)
    if (!vanishes(design, t))
      sum.terms.push_back(
          part_of(design, t, model.coefficients, name_of(model, design.terms()[t]), marginals));
  add_effects(model, marginals, sum);
  portable.sums.push_back(std::move(sum));
  for (const std::size_t m : marginals.order())
    portable.axes.push_back(axis_of(fitted, design.marginals()[m]));
  Numbering columns;
  for (Axis& axis : portable.axes) axis.input = columns(axis.input);
  for (std::size_t c = 0; c < fitted.encoding.columns.size(); ++c)
    if (input_of(fitted, c).allowed) columns(c);
  for (const std::size_t c : columns.order()) portable.inputs.push_back(input_of(fitted, c));
  add_known_part(fitted.facts, portable);
  return portable;
}

// Cox-de Boor with unit spacing, as in src/basis/local.hpp, with polynomials in the place of numbers.
std::vector<std::vector<double>> local_polynomials(int degree) {
  const auto size = static_cast<std::size_t>(degree) + 1;
  using Polynomial = std::vector<double>;
  // (constant + slope u) times `of`, added to `to`.
  const auto add_product = [&](Polynomial& to, double constant, double slope, const Polynomial& of) {
    for (std::size_t p = 0; p < size; ++p) {
      to[p] += constant * of[p];
      if (p + 1 < size) to[p + 1] += slope * of[p];
    }
  };
  std::vector<Polynomial> value(size, Polynomial(size));
  value[0][0] = 1;
  for (int j = 1; j <= degree; ++j) {
    Polynomial saved(size);
    for (int r = 0; r < j; ++r) {
      Polynomial share = value[static_cast<std::size_t>(r)];
      for (double& of : share) of /= j;
      Polynomial now = saved;
      add_product(now, r + 1, -1, share);
      value[static_cast<std::size_t>(r)] = std::move(now);
      saved.assign(size, 0);
      add_product(saved, j - 1 - r, 1, share);
    }
    value[static_cast<std::size_t>(j)] = std::move(saved);
  }
  return value;
}

std::vector<std::vector<double>> cell_polynomials(const Curve& curve,
                                                  const std::vector<double>& coefficients) {
  const std::vector<std::vector<double>> local = local_polynomials(curve.degree);
  std::vector<std::vector<double>> cells(static_cast<std::size_t>(curve.intervals),
                                         std::vector<double>(local.size()));
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (std::size_t s = 0; s < local.size(); ++s)
      for (std::size_t p = 0; p < local.size(); ++p) cells[cell][p] += coefficients[cell + s] * local[s][p];
  return cells;
}

std::string comment_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    safe += byte < 0x20 || byte == 0x7f || c == '*' || c == '/' || c == '\\' || c == '?' ? '_' : c;
  }
  return safe;
}

}  // namespace kore::portable
