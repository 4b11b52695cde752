#include "experiments/random/ziggurat.hpp"

#include <cmath>

namespace kore::experiments {
namespace {

// The area of a layer. Exact would be r f(r) + integral of f from r on = 0.00492867323397465494; NumPy's
// layers were cut with this value, four units in the last place below.
constexpr double kLayerArea = 0.004928673233974652;

// The one layer whose height was not rounded correctly when NumPy's layers were cut: the exact value lies
// .498 of a unit in the last place above the nearest double, and the next one up was taken. All layers
// further in follow from it.
constexpr std::size_t kRoundedUpLayer = 38;

constexpr double kDraws = 0x1p52;

// Rounded once from long double, so that the layers do not depend on the mathematical library.
double rounded_exp(double x) { return static_cast<double>(std::exp(static_cast<long double>(x))); }

double rounded_log(double x) { return static_cast<double>(std::log(static_cast<long double>(x))); }

double curve_at(double x, std::size_t layer) {
  const double value = rounded_exp(-0.5 * x * x);
  return layer == kRoundedUpLayer ? std::nextafter(value, 1.0) : value;
}

Ziggurat cut_layers() {
  Ziggurat layers;
  std::size_t layer = Ziggurat::kLayers - 1;
  double edge = Ziggurat::kTailStart;
  layers.width[layer] = edge / kDraws;
  layers.height[layer] = curve_at(edge, layer);

  // The base strip counts as a box of the same area, whose part beyond the tail's start stands for the tail.
  const double base_width = kLayerArea / layers.height[layer];
  layers.width[0] = base_width / kDraws;
  layers.height[0] = 1.0;
  layers.inside[0] = static_cast<std::uint64_t>(std::nearbyint(edge / base_width * kDraws));

  while (layer > 1) {
    const double inner_edge = std::sqrt(-2.0 * rounded_log(kLayerArea / edge + layers.height[layer]));
    layers.inside[layer] = static_cast<std::uint64_t>(std::nearbyint(inner_edge / edge * kDraws));
    --layer;
    edge = inner_edge;
    layers.width[layer] = edge / kDraws;
    layers.height[layer] = curve_at(edge, layer);
  }
  layers.inside[1] = 0;  // The cap has no box that lies wholly under the curve.
  return layers;
}

}  // namespace

const Ziggurat& ziggurat() {
  static const Ziggurat layers = cut_layers();
  return layers;
}

}  // namespace kore::experiments
