#include "fit/purify.hpp"

#include <algorithm>
#include <numeric>

#include "fit/bands.hpp"
#include "fit/projection.hpp"
#include "solve/blas.hpp"
#include "solve/dense.hpp"

namespace kore {
namespace {

struct Part {
  Term term;
  std::vector<std::size_t> sizes;      ///< Functions of each coordinate that have a coefficient of their own.
  std::vector<std::size_t> raw_sizes;  ///< All functions.
  bool varies = true;                  ///< No coordinate is constant: the functions of each add up to one.
  std::vector<double> coefficients;
  Slopes slopes = {};
  bool slopes_known = true;
};

/// The same with features that rise, so that parts of the same features can be told. `width` numbers belong
/// to each raw function.
std::vector<double> reordered(const std::vector<double>& values, std::size_t width,
                              std::span<const std::size_t> sizes, std::span<const std::size_t> from) {
  std::vector<std::size_t> strides(sizes.size(), 1);
  for (std::size_t c = sizes.size() - 1; c-- > 0;) strides[c] = strides[c + 1] * sizes[c + 1];
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size() / width; ++i) {
    std::size_t rest = i;
    std::size_t source = 0;
    for (std::size_t c = sizes.size(); c-- > 0;) {
      source += rest % sizes[from[c]] * strides[from[c]];
      rest /= sizes[from[c]];
    }
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(source * width);
    result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
  return result;
}

/// For each raw function of a part the one whose coefficient it has: another one where a coordinate is
/// cyclic.
std::vector<std::size_t> owners(const Part& part) {
  std::vector<std::size_t> places{0};
  for (std::size_t c = 0; c < part.sizes.size(); ++c) {
    std::vector<std::size_t> next;
    for (const std::size_t place : places)
      for (std::size_t i = 0; i < part.raw_sizes[c]; ++i)
        next.push_back(place * part.sizes[c] + i % part.sizes[c]);
    places = std::move(next);
  }
  return places;
}

std::vector<double> without_repeats(const std::vector<double>& values, std::size_t width, const Part& part) {
  if (part.sizes == part.raw_sizes) return values;
  const std::vector<std::size_t> owner = owners(part);
  std::vector<double> kept((std::ranges::max(owner) + 1) * width);
  for (std::size_t i = 0; i < owner.size(); ++i)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                kept.begin() + static_cast<std::ptrdiff_t>(owner[i] * width));
  return kept;
}

std::vector<double> with_repeats(const std::vector<double>& values, const Part& part) {
  if (part.sizes == part.raw_sizes || values.empty()) return values;
  const std::vector<std::size_t> owner = owners(part);
  const std::size_t width = values.size() / (std::ranges::max(owner) + 1);
  std::vector<double> all;
  for (const std::size_t i : owner) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * width);
    all.insert(all.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
  return all;
}

/// Moments of the functions with coefficients of their own, from those of all functions.
std::vector<double> folded(std::vector<double> moments, const Part& part) {
  if (part.sizes == part.raw_sizes) return moments;
  const std::vector<std::size_t> owner = owners(part);
  const std::size_t size = std::ranges::max(owner) + 1;
  std::vector<double> sums(size * size);
  for (std::size_t i = 0; i < owner.size(); ++i)
    for (std::size_t j = 0; j < owner.size(); ++j)
      sums[owner[i] * size + owner[j]] += moments[i * owner.size() + j];
  return sums;
}

/// `C + A B`, all row by row.
void add_product(std::span<const double> a, std::span<const double> b, std::size_t depth,
                 std::vector<double>& c) {
  const std::size_t rows = a.size() / depth;
  const std::size_t columns = b.size() / depth;
  std::vector<double> found(rows * columns);
  product(b.data(), columns, columns, a.data(), rows, depth, depth, found.data(), columns);
  c.resize(found.size());
  std::ranges::transform(found, c, c.begin(), std::plus<>());
}

class Purification {
 public:
  Purification(const SumAsFitted& fitted, const MomentsOf& moments_of, std::span<const TermMap> maps)
      : fitted_(fitted), moments_of_(moments_of), constant_(fitted.intercept) {
    for (std::size_t t = 0; t < fitted.design.terms().size(); ++t) take(t, maps);
  }

  PurifiedTerms run() {
    for (std::size_t order = max_order; order > 0; --order)
      for (std::size_t i = 0; i < parts_.size(); ++i)  // grows, but not by parts of this order
        if (parts_[i].term.order() == order && parts_[i].varies) purify(i);
    return collected();
  }

 private:
  void take(std::size_t term, std::span<const TermMap> maps) {
    const Design& design = fitted_.design;
    const Term& given = design.terms()[term];
    const std::size_t order = given.order();
    std::vector<std::size_t> from(order);
    std::iota(from.begin(), from.end(), std::size_t{0});
    std::ranges::sort(from, {}, [&](std::size_t c) { return given.features[c]; });
    std::vector<std::size_t> sizes;
    for (std::size_t c = 0; c < order; ++c)
      sizes.push_back(static_cast<std::size_t>(design.basis(term, c).functions()));
    Part part;
    for (const std::size_t c : from) {
      part.term.features.push_back(given.features[c]);
      part.term.resolutions.push_back(given.resolutions[c]);
      part.raw_sizes.push_back(sizes[c]);
      part.sizes.push_back(design.marginal(term, c).different_functions());
      part.varies = part.varies && !design.basis(term, c).constant();
    }
    const auto own = fitted_.coefficients.subspan(design.raw_offset(term), design.raw_term_columns(term));
    part.coefficients = without_repeats(reordered({own.begin(), own.end()}, 1, sizes, from), 1, part);
    const std::size_t columns = design.term_columns(term);
    part.slopes_known = !maps.empty() && columns <= most_columns_with_bands;
    if (part.slopes_known)
      part.slopes[term] = without_repeats(
          reordered(solved_rows_to_raw(maps[term], identity(columns), columns), columns, sizes, from),
          columns, part);
    parts_.push_back(std::move(part));
  }

  /// Whether a resolution makes the same functions.
  bool same_functions(const Term& a, const Term& b) const {
    if (a.features != b.features) return false;
    for (std::size_t c = 0; c < a.order(); ++c) {
      const FeatureKind kind = fitted_.design.features()[a.features[c]].kind;
      const bool one_basis = kind == FeatureKind::category ||
                             (kind == FeatureKind::linear && a.resolutions[c] > 0 && b.resolutions[c] > 0);
      if (a.resolutions[c] != b.resolutions[c] && !one_basis) return false;
    }
    return true;
  }

  /// The part of an interaction's features but one, in the same knots; made where there is none.
  Part& simpler(const Part& of, std::size_t left_out) {
    Part wanted;
    for (std::size_t c = 0; c < of.term.order(); ++c) {
      if (c == left_out) continue;
      wanted.term.features.push_back(of.term.features[c]);
      wanted.term.resolutions.push_back(of.term.resolutions[c]);
      wanted.sizes.push_back(of.sizes[c]);
      wanted.raw_sizes.push_back(of.raw_sizes[c]);
    }
    for (Part& part : parts_)
      if (same_functions(part.term, wanted.term)) return part;
    wanted.coefficients.resize(
        std::accumulate(wanted.sizes.begin(), wanted.sizes.end(), std::size_t{1}, std::multiplies<>()));
    parts_.push_back(std::move(wanted));
    return parts_.back();
  }

  void purify(std::size_t index) {
    std::vector<double> moments = folded(moments_of_(parts_[index].term), parts_[index]);
    const std::size_t functions = parts_[index].coefficients.size();
    std::vector<double> means(functions);
    for (std::size_t i = 0; i < functions; ++i)
      means[i] = std::accumulate(moments.begin() + static_cast<std::ptrdiff_t>(i * functions),
                                 moments.begin() + static_cast<std::ptrdiff_t>((i + 1) * functions), 0.0);
    if (parts_[index].term.order() > 1)
      move_down(index, project(parts_[index].sizes, std::move(moments), independent_share));
    centre(parts_[index], means);
  }

  void move_down(std::size_t index, const Projection& projection) {
    const std::size_t functions = parts_[index].coefficients.size();
    for (std::size_t out = 0; out < projection.places.size(); ++out) {
      simpler(parts_[index], out);  // may move the parts
      Part& target = simpler(parts_[index], out);
      const Part& part = parts_[index];
      const auto own = std::span(projection.matrix)
                           .subspan(projection.offsets[out] * functions,
                                    (projection.offsets[out + 1] - projection.offsets[out]) * functions);
      add_product(own, part.coefficients, functions, target.coefficients);
      target.slopes_known = target.slopes_known && part.slopes_known;
      for (const auto& [term, slopes] : part.slopes) add_product(own, slopes, functions, target.slopes[term]);
    }
    subtract_moved(projection, parts_[index]);
  }

  /// What was moved is subtracted where it was.
  static void subtract_moved(const Projection& projection, Part& part) {
    const auto subtract = [&](std::vector<double>& values) {
      const std::size_t functions = part.coefficients.size();
      const std::size_t width = values.size() / functions;
      std::vector<double> moved;
      add_product(projection.matrix, values, functions, moved);
      for (std::size_t out = 0; out < projection.places.size(); ++out)
        for (std::size_t i = 0; i < functions; ++i) {
          const double* from = moved.data() + (projection.offsets[out] + projection.places[out][i]) * width;
          for (std::size_t k = 0; k < width; ++k) values[i * width + k] -= from[k];
        }
    };
    subtract(part.coefficients);
    if (part.term.order() > 2) part.slopes.clear();  // triples have no bands
    for (auto& [term, slopes] : part.slopes) subtract(slopes);
  }

  void centre(Part& part, std::span<const double> means) {
    const auto subtract_mean = [&](std::vector<double>& values) {
      const std::size_t width = values.size() / means.size();
      std::vector<double> mean(width);
      for (std::size_t i = 0; i < values.size(); ++i) mean[i % width] += means[i / width] * values[i];
      for (std::size_t i = 0; i < values.size(); ++i) values[i] -= mean[i % width];
      return mean.front();
    };
    constant_ += subtract_mean(part.coefficients);
    for (auto& [term, slopes] : part.slopes) subtract_mean(slopes);
  }

  PurifiedTerms collected() {
    std::vector<ShownTerm> shown;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      ShownTerm own{parts_[i].term.features, {}, {i}};
      for (const int resolution : parts_[i].term.resolutions)
        own.by_value.push_back(resolution == each_value);
      const auto same = std::ranges::find_if(shown, [&](const ShownTerm& other) {
        return other.features == own.features && other.by_value == own.by_value;
      });
      if (same == shown.end())
        shown.push_back(std::move(own));
      else
        same->parts.push_back(i);
    }
    std::ranges::stable_sort(shown, {}, &ShownTerm::order);
    std::vector<Term> terms;
    PurifiedTerms found{{fitted_.design, Extrapolation::linear, constant_, {}, {}, {}, true}, {}, {}};
    for (Part& part : parts_) {
      terms.push_back(part.term);
      const std::vector<double> all = with_repeats(part.coefficients, part);
      found.shown.coefficients.insert(found.shown.coefficients.end(), all.begin(), all.end());
      for (auto& [term, slopes] : part.slopes) slopes = with_repeats(slopes, part);
      found.slopes.push_back(std::move(part.slopes));
      found.slopes_known.push_back(part.slopes_known);
    }
    found.shown.terms = std::move(shown);
    found.shown.design =
        Design::of_parts(fitted_.design.features(), std::move(terms), fitted_.design.degree());
    return found;
  }

  SumAsFitted fitted_;
  const MomentsOf& moments_of_;
  double constant_;
  std::vector<Part> parts_;
};

}  // namespace

PurifiedTerms purify(const SumAsFitted& fitted, const MomentsOf& moments_of, std::span<const TermMap> maps) {
  return Purification(fitted, moments_of, maps).run();
}

}  // namespace kore
