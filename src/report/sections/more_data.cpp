#include <fmt/format.h>

#include <array>
#include <cmath>

#include "report/chart.hpp"
#include "report/numbers.hpp"
#include "report/sections/sections.hpp"
#include "story/text.hpp"

namespace kore::report {
namespace {

constexpr std::array factors{1.0, 2.0, 4.0, 10.0};

/// The models whose law applies: those of the chosen structure in the paper profile, else main effects.
struct Source {
  const Selection* selection = nullptr;
  std::vector<FeaturePair> pairs;
};

Source source_of(const FitSummary& summary) {
  const bool paper_pairs = summary.stages.empty() && summary.structure == Structure::pairwise;
  if (paper_pairs && summary.pairwise && summary.pairwise->law.usable())
    return {&*summary.pairwise, summary.pairs};
  if (summary.additive && summary.additive->law.usable()) return {&*summary.additive, {}};
  return {};
}

/// How an excess loss is shown: squared errors by their root, deviances as they are.
struct Shown {
  bool deviance = false;

  double operator()(double excess) const { return deviance ? excess : std::sqrt(excess); }
  std::string words() const {
    return deviance ? "deviance above the noise" : "typical error above the noise";
  }
};

Json chart(const std::vector<DataForecast>& points, double rows, const Shown& shown) {
  Json values = Json::array();
  for (const DataForecast& point : points)
    values.push_back({{"rows", rounded(point.factor * rows)},
                      {"error", rounded(shown(point.excess))},
                      {"resolution", rounded(point.resolution)}});
  Json x = logarithmic("rows", "rows");
  x["axis"]["format"] = "~s";
  Json y = linear("error", shown.words());
  y["scale"] = {{"zero", true}};
  const Json tooltip = hints({{"rows", "rows", ",.0f"},
                              {"error", shown.words(), ".3~g"},
                              {"resolution", "best resolution", ".3~g"}});
  return layered(
      std::move(values),
      {layer({{"type", "line"}, {"color", colour(1)}, {"strokeWidth", 2}}, {{"x", x}, {"y", y}}),
       layer({{"type", "point"}, {"filled", true}, {"size", 80}, {"opacity", 1}, {"color", colour(1)}},
             {{"x", x}, {"y", y}, {"tooltip", tooltip}})},
      240);
}

}  // namespace

Section more_data_section(const Subject& subject) {
  const Model& model = subject.fitted.model;
  const FitSummary& summary = model.summary;
  const Source source = source_of(summary);
  Section section{"more-data", "What would more data buy?", {}, "More data"};
  if (!summary.additive && !summary.pairwise) return section;
  const BasisCount size = basis_count(model.design.features(), source.pairs, model.design.degree());
  if (source.selection == nullptr || size.order() == 0) {
    section.blocks.push_back(Paragraph{
        "That cannot be told here: the errors of the first fits, with coarse and with finer curves, do not "
        "say how much of them more rows would take away. (The appendix has these fits.)"});
    return section;
  }
  const Shown shown{model.linked()};
  std::vector<DataForecast> points;
  for (const double factor : factors)
    points.push_back(forecast(source.selection->law, size, summary.weight_sum, size.degree + 1.0, factor));
  DataTable table{"What the law expects",
                  {"rows", "best resolution", shown.words(),
                   shown.deviance ? "share of today's" : "share of today's squared error"},
                  {}};
  for (const DataForecast& point : points)
    table.rows.push_back({fmt::format("{}{}",
                                      story::grouped(static_cast<std::uint64_t>(
                                          std::llround(point.factor * summary.weight_sum))),
                                      point.factor == 1 ? " (now)" : fmt::format(" ({}×)", point.factor)),
                          readable(point.resolution), readable(shown(point.excess)),
                          story::percent(point.excess / points[0].excess)});
  section.blocks.push_back(Paragraph{fmt::format(
      "An error has two parts: the noise, which no number of rows removes, and what the model misses. The "
      "second part shrinks with more rows, how fast was estimated from {} of rising resolution, fitted "
      "without "
      "penalty. With ten times the rows, {} of {} would be left.",
      source.pairs.empty() ? "main effects" : "pairs",
      story::percent(points.back().excess / points.front().excess),
      shown.deviance ? "it, as deviance" : "its square")});
  section.blocks.push_back(
      Figure{{},
             {},
             {{{},
               fmt::format("The {} falls from {} now to {} at ten times the rows.", shown.words(),
                           readable(shown(points.front().excess)), readable(shown(points.back().excess))),
               chart(points, summary.weight_sum, shown)}}});
  section.blocks.push_back(std::move(table));
  section.blocks.push_back(
      Notes{{"Assumes new rows like the present ones, from the same source, with the same noise.",
             "Assumes effects that are smooth, and the same structure: interactions that more rows would "
             "reveal are not counted.",
             "Both constants of the law are estimates, so a forecast is less certain the further it goes."}});
  return section;
}

}  // namespace kore::report
