#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

/// The engine as Python sees it: one function per room, each in a file of that name.
namespace kore::python {

namespace nb = nanobind;

/// A vector of numbers as NumPy passes it, with gaps between its elements or without.
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using DenseNumbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using Result = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

void bind_frame(nb::module_& module);
void bind_options(nb::module_& module);
void bind_model(nb::module_& module);
void bind_training(nb::module_& module);
void bind_classes(nb::module_& module);
void bind_chunks(nb::module_& module);
void bind_distributed(nb::module_& module);
void bind_ladder(nb::module_& module);
void bind_report(nb::module_& module);

inline std::span<const double> span_of(const DenseNumbers& numbers) {
  return {numbers.data(), numbers.size()};
}

/// Empty where Python gives None.
inline std::span<const double> span_of(const std::optional<DenseNumbers>& numbers) {
  return numbers ? span_of(*numbers) : std::span<const double>{};
}

/// A NumPy array that takes the vector over.
inline Result to_numpy(std::vector<double> values) {
  auto kept = std::make_unique<std::vector<double>>(std::move(values));
  const std::size_t size = kept->size();
  double* data = kept->data();
  nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return Result(data, {size}, owner);
}

}  // namespace kore::python
