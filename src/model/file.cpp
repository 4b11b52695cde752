#include <algorithm>
#include <string_view>

#include "base/atomic_file.hpp"
#include "base/bytes.hpp"
#include "design/design_bytes.hpp"
#include "kore/error.hpp"
#include "kore/model.hpp"
#include "model/check.hpp"
#include "model/error_section.hpp"
#include "model/family_section.hpp"
#include "model/format_versions.hpp"
#include "model/outside_section.hpp"
#include "model/purified_section.hpp"
#include "model/scale_section.hpp"
#include "model/uncertainty_bytes.hpp"
#include "model/unseen_section.hpp"

namespace kore {
namespace {

void write(ByteWriter& out, const Selection& selection) {
  out.u8(selection.skipped ? 1 : 0);
  out.u8(selection.bridged ? 1 : 0);
  for (const int value : {selection.resolution, selection.fits, selection.largest_stable})
    out.u32(static_cast<std::uint32_t>(value));
  for (const double value :
       {selection.plug_in, selection.law.bias_scale, selection.law.variance_scale, selection.loo})
    out.f64(value);
  for (const auto* list : {&selection.pilots, &selection.certificate}) {
    out.u64(list->size());
    for (const int g : *list) out.u32(static_cast<std::uint32_t>(g));
  }
  out.u64(selection.curve.size());
  for (const auto& [g, score] : selection.curve) {
    out.u32(static_cast<std::uint32_t>(g));
    out.u64(score.p);
    for (const double value : {score.loo, score.rss, score.max_leverage}) out.f64(value);
  }
}

Selection read_selection(ByteReader& in) {
  Selection selection;
  selection.skipped = in.u8() != 0;
  selection.bridged = in.u8() != 0;
  for (int* value : {&selection.resolution, &selection.fits, &selection.largest_stable})
    *value = static_cast<int>(in.u32());
  for (double* value :
       {&selection.plug_in, &selection.law.bias_scale, &selection.law.variance_scale, &selection.loo})
    *value = in.f64();
  for (auto* list : {&selection.pilots, &selection.certificate}) {
    list->resize(in.count(4));
    for (int& g : *list) g = static_cast<int>(in.u32());
  }
  const std::size_t points = in.count(36);
  for (std::size_t i = 0; i < points; ++i) {
    const int g = static_cast<int>(in.u32());
    FitScore& score = selection.curve[g];
    score.p = in.u64();
    for (double* value : {&score.loo, &score.rss, &score.max_leverage}) *value = in.f64();
  }
  return selection;
}

void write(ByteWriter& out, const PilotCheck& diagnostic) {
  out.u8(diagnostic.suitable ? 1 : 0);
  out.text(diagnostic.reason);
  out.text(diagnostic.recommendation);
  out.u64(diagnostic.features);
  for (const double value :
       {diagnostic.n, diagnostic.effective_density, diagnostic.condition_number, diagnostic.law.bias_scale,
        diagnostic.law.variance_scale, diagnostic.plug_in, diagnostic.stability_margin})
    out.f64(value);
  out.u64(diagnostic.advice.size());
  for (const std::string& sentence : diagnostic.advice) out.text(sentence);
}

PilotCheck read_diagnostic(ByteReader& in) {
  PilotCheck diagnostic;
  diagnostic.suitable = in.u8() != 0;
  diagnostic.reason = in.text();
  diagnostic.recommendation = in.text();
  diagnostic.features = in.u64();
  for (double* value : {&diagnostic.n, &diagnostic.effective_density, &diagnostic.condition_number,
                        &diagnostic.law.bias_scale, &diagnostic.law.variance_scale, &diagnostic.plug_in,
                        &diagnostic.stability_margin})
    *value = in.f64();
  diagnostic.advice.resize(in.count(8));
  for (std::string& sentence : diagnostic.advice) sentence = in.text();
  return diagnostic;
}

template <class T>
void write(ByteWriter& out, const std::optional<T>& value) {
  out.u8(value ? 1 : 0);
  if (value) write(out, *value);
}

void write(ByteWriter& out, const FitSummary& summary) {
  out.u64(summary.rows);
  out.u8(static_cast<std::uint8_t>(summary.structure));
  out.u8(summary.relative_ridge ? 1 : 0);
  out.u32(static_cast<std::uint32_t>(summary.resolution));
  out.u32(static_cast<std::uint32_t>(summary.fits));
  for (const double value : {summary.weight_sum, summary.loo, summary.residual_variance, summary.target_mean,
                             summary.target_variance, summary.parameters, summary.max_leverage,
                             summary.signal_score, summary.ridge, summary.target_shift})
    out.f64(value);
  out.u64(summary.pairs.size());
  for (const auto& [i, j] : summary.pairs) {
    out.u64(i);
    out.u64(j);
  }
  write(out, summary.additive);
  write(out, summary.pairwise);
  write(out, summary.pilot_check);
}

FitSummary read_summary(ByteReader& in) {
  FitSummary summary;
  summary.rows = in.u64();
  summary.structure = read_enum(in, Structure::threeway);
  summary.relative_ridge = in.u8() != 0;
  summary.resolution = static_cast<int>(in.u32());
  summary.fits = static_cast<int>(in.u32());
  for (double* value : {&summary.weight_sum, &summary.loo, &summary.residual_variance, &summary.target_mean,
                        &summary.target_variance, &summary.parameters, &summary.max_leverage,
                        &summary.signal_score, &summary.ridge, &summary.target_shift})
    *value = in.f64();
  summary.pairs.resize(in.count(16));
  for (auto& [i, j] : summary.pairs) {
    i = in.u64();
    j = in.u64();
  }
  if (in.u8() != 0) summary.additive = read_selection(in);
  if (in.u8() != 0) summary.pairwise = read_selection(in);
  if (in.u8() != 0) summary.pilot_check = read_diagnostic(in);
  return summary;
}

void write(ByteWriter& out, const std::vector<Effect>& effects) {
  out.u64(effects.size());
  for (const Effect& e : effects)
    for (const double value : {e.mean, e.variance, e.share, e.covariance_share}) out.f64(value);
}

std::vector<Effect> read_effects(ByteReader& in) {
  std::vector<Effect> effects(in.count(32));
  for (Effect& e : effects)
    for (double* value : {&e.mean, &e.variance, &e.share, &e.covariance_share}) *value = in.f64();
  return effects;
}

/// What the default profile adds: an optional section.
void write_growth(ByteWriter& out, const Model& model) {
  const FitSummary& summary = model.summary;
  out.f64(summary.noise_variance);
  out.u64(summary.structure_rows);
  for (const auto* selection : {&summary.additive, &summary.pairwise}) {
    out.f64(*selection ? (*selection)->plug_in_low : 0);
    out.f64(*selection ? (*selection)->plug_in_high : 0);
  }
  out.u64(summary.stages.size());
  for (const StageSummary& stage : summary.stages) {
    out.u8(static_cast<std::uint8_t>(stage.structure));
    out.u8(static_cast<std::uint8_t>((stage.penalised ? 1 : 0) + (stage.lines ? 2 : 0) +
                                     (stage.by_value ? 4 : 0)));
    out.u8(stage.chosen ? 1 : 0);
    out.u64(stage.terms);
    out.u64(stage.columns);
    out.f64(stage.parameters);
    out.f64(stage.loo);
  }
  out.u64(summary.screened.size());
  for (const ScreenedTerm& term : summary.screened) {
    out.u8(static_cast<std::uint8_t>(term.features.size()));
    for (const std::size_t j : term.features) out.u64(j);
    out.f64(term.gain);
    out.u8(term.kept ? 1 : 0);
  }
  out.u64(model.penalty_weights.size());
  for (const std::vector<double>& weights : model.penalty_weights) out.f64s(weights);
  for (const Effect& effect : model.effects) out.f64s(effect.covariance);
}

/// An optional section, because stages of older files have no prices.
void write_prices(ByteWriter& out, const FitSummary& summary) {
  std::vector<double> prices;
  for (const StageSummary& stage : summary.stages) prices.push_back(stage.price);
  out.f64s(prices);
}

[[noreturn]] void refuse_inconsistent(std::string_view part, std::string_view whole) {
  throw Error(ErrorCode::corrupt_file, "inconsistent_model",
              "The KORE model is inconsistent: its {part} do not belong to its {whole}.",
              {{"part", part}, {"whole", whole}});
}

void read_prices(ByteReader& in, FitSummary& summary) {
  const std::vector<double> prices = in.f64s();
  if (prices.size() != summary.stages.size()) refuse_inconsistent("prices", "stages");
  for (std::size_t i = 0; i < prices.size(); ++i) summary.stages[i].price = prices[i];
}

/// A section of its own, for models were written before fits told it.
void write(ByteWriter& out, const Convergence& convergence) {
  out.u8(convergence.settled ? 1 : 0);
  out.u32(static_cast<std::uint32_t>(convergence.steps));
  out.f64(convergence.raised_ridge);
  out.f64(convergence.raised_weight_ridge);
  out.u32(static_cast<std::uint32_t>(convergence.unsettled_rivals));
}

Convergence read_convergence(ByteReader& in) {
  Convergence convergence;
  convergence.settled = in.u8() != 0;
  convergence.steps = static_cast<int>(in.u32());
  convergence.raised_ridge = in.f64();
  convergence.raised_weight_ridge = in.f64();
  convergence.unsettled_rivals = static_cast<int>(in.u32());
  return convergence;
}

void read_growth(ByteReader& in, Model& model) {
  FitSummary& summary = model.summary;
  summary.noise_variance = in.f64();
  summary.structure_rows = in.u64();
  for (auto* selection : {&summary.additive, &summary.pairwise}) {
    const double low = in.f64();
    const double high = in.f64();
    if (!*selection) continue;
    (*selection)->plug_in_low = low;
    (*selection)->plug_in_high = high;
  }
  summary.stages.resize(in.count(35));
  for (StageSummary& stage : summary.stages) {
    stage.structure = read_enum(in, Structure::threeway);
    const std::uint8_t flags = in.u8();
    stage.penalised = (flags & 1U) != 0;
    stage.lines = (flags & 2U) != 0;
    stage.by_value = (flags & 4U) != 0;
    stage.chosen = in.u8() != 0;
    stage.terms = in.u64();
    stage.columns = in.u64();
    stage.parameters = in.f64();
    stage.loo = in.f64();
  }
  summary.screened.resize(in.count(10));
  for (ScreenedTerm& term : summary.screened) {
    term.features.resize(in.u8());
    for (std::size_t& j : term.features) j = in.u64();
    term.gain = in.f64();
    term.kept = in.u8() != 0;
  }
  model.penalty_weights.resize(in.count(8));
  for (std::vector<double>& weights : model.penalty_weights) weights = in.f64s();
  for (Effect& effect : model.effects) effect.covariance = in.f64s();
}

std::vector<std::byte> section_of(const auto& value) {
  ByteWriter out;
  write(out, value);
  return out.take();
}

constexpr std::string_view attachment_prefix = "attachment:";

Model assemble(std::map<std::string, std::span<const std::byte>>& sections) {
  const auto reader = [&sections](const std::string& name) {
    const auto found = sections.find(name);
    if (found == sections.end())
      throw Error(ErrorCode::corrupt_file, "missing_section", "The KORE model lacks its section '{section}'.",
                  {{"section", name}});
    return ByteReader(found->second);
  };
  ByteReader design = reader("design");
  Model model{read_design(design), {}, 0, {}, "", {}, {}, {}, {}, {}, {}};
  ByteReader function = reader("function");
  model.extrapolation = read_enum(function, Extrapolation::error);
  model.intercept = function.f64();
  model.coefficients = function.f64s();
  model.target = function.text();
  model.residual_quantiles = function.f64s();
  ByteReader effects = reader("effects");
  model.effects = read_effects(effects);
  ByteReader summary = reader("summary");
  model.summary = read_summary(summary);
  const auto read_if_there = [&](const char* name, const auto& read) {
    if (!sections.contains(name)) return;
    ByteReader in = reader(name);
    read(in);
  };
  read_if_there("growth", [&](ByteReader& in) { read_growth(in, model); });
  read_if_there("prices", [&](ByteReader& in) { read_prices(in, model.summary); });
  read_if_there("convergence", [&](ByteReader& in) { model.summary.convergence = read_convergence(in); });
  read_if_there("errors", [&](ByteReader& in) { read_errors(in, model); });
  read_if_there("robust", [&](ByteReader& in) { read_robust(in, model.summary); });
  read_if_there("unseen", [&](ByteReader& in) { read_unseen(in, model.summary); });
  read_if_there("limits", [&](ByteReader& in) { read_limits(in, model.prediction_limits); });
  read_if_there("outside", [&](ByteReader& in) { read_outside(in, model); });
  read_if_there("scale", [&](ByteReader& in) { read_scale(in, model); });
  read_if_there("family", [&](ByteReader& in) { read_family(in, model); });
  read_if_there("uncertainty", [&](ByteReader& in) { read_uncertainty(in, model); });
  read_if_there("purified", [&](ByteReader& in) { model.purified = read_purified(in, model.design); });
  check_model(model);
  return model;
}

/// The oldest version whose readers predict the same. Those of version 2 do not know scales, nor coordinates
/// that are no curves; those of version 3 do not know families, and those of version 4 no cyclic features.
std::uint32_t version_for(const Model& model) {
  if (std::ranges::any_of(model.design.features(), &Feature::cyclic)) return version_of_cyclic;
  if (model.linked()) return version_of_families;
  const bool scaled = model.target_scale != TargetScale::identity ||
                      std::ranges::any_of(model.design.marginals(), [](const Marginal& marginal) {
                        return marginal.argument != BasisArgument::warped;
                      });
  return scaled ? version_of_scales : version_of_identity;
}

}  // namespace

std::vector<std::byte> to_bytes(const Model& model) {
  ByteWriter out;
  const auto section = [&out](const std::string& name, std::span<const std::byte> content) {
    out.text(name);
    out.section(content);
  };
  section("design", section_of(model.design));
  ByteWriter function;
  function.u8(static_cast<std::uint8_t>(model.extrapolation));
  function.f64(model.intercept);
  function.f64s(model.coefficients);
  function.text(model.target);
  function.f64s(model.residual_quantiles);
  section("function", function.bytes());
  section("effects", section_of(model.effects));
  section("summary", section_of(model.summary));
  const auto write_section = [&](const char* name, const auto& write) {
    ByteWriter content;
    write(content);
    section(name, content.bytes());
  };
  write_section("growth", [&](ByteWriter& to) { write_growth(to, model); });
  write_section("prices", [&](ByteWriter& to) { write_prices(to, model.summary); });
  write_section("uncertainty", [&](ByteWriter& to) { write_uncertainty(to, model.effects); });
  if (model.summary.convergence) section("convergence", section_of(*model.summary.convergence));
  write_section("errors", [&](ByteWriter& to) { write_errors(to, model); });
  if (needs_robust_section(model.summary))
    write_section("robust", [&](ByteWriter& to) { write_robust(to, model.summary); });
  if (!model.summary.stages.empty())
    write_section("unseen", [&](ByteWriter& to) { write_unseen(to, model.summary); });
  write_section("limits", [&](ByteWriter& to) {
    to.f64(model.prediction_limits.lowest);
    to.f64(model.prediction_limits.highest);
  });
  write_section("outside", [&](ByteWriter& to) { write_outside(to, model); });
  if (model.purified) write_section("purified", [&](ByteWriter& to) { write_purified(to, *model.purified); });
  if (model.target_scale != TargetScale::identity)
    write_section("scale", [&](ByteWriter& to) { write_scale(to, model); });
  if (model.linked()) write_section("family", [&](ByteWriter& to) { write_family(to, model); });
  for (const auto& [name, content] : model.attachments)
    section(std::string(attachment_prefix) + name, content);
  return seal("KORE", version_for(model), out.bytes());
}

Model model_from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(open_sealed(bytes, "KORE", format_version, "model").content);
  std::map<std::string, std::span<const std::byte>> sections;
  while (!in.at_end()) {
    std::string name = in.text();
    sections[std::move(name)] = in.section();
  }
  Model model = assemble(sections);
  for (const auto& [name, content] : sections)
    if (name.starts_with(attachment_prefix))
      model.attachments[name.substr(attachment_prefix.size())] = {content.begin(), content.end()};
  return model;
}

void save(const Model& model, const std::filesystem::path& path) { write_atomically(path, to_bytes(model)); }

Model load_model(const std::filesystem::path& path) { return model_from_bytes(read_file(path)); }

}  // namespace kore
