#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

namespace kore::python {

/// What the curves of single columns are to be, for every class that fits.
template <class Training>
void bind_curve_choices(nanobind::class_<Training> bound) {
  namespace nb = nanobind;
  bound.def(
      "set_curves",
      [](Training& training, std::vector<std::string> linear,
         std::vector<std::pair<std::string, double>> cyclic,
         std::vector<std::pair<std::string, int>> max_resolutions) {
        training.set_curves({std::move(linear), std::move(cyclic), std::move(max_resolutions)});
      },
      nb::arg("linear"), nb::arg("cyclic"), nb::arg("max_resolutions"),
      "Columns with straight lines in place of curves, with periods (0: told by the values), and with a "
      "largest resolution.");
}

}  // namespace kore::python
