#pragma once

#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings/bindings.hpp"
#include "table/table_task.hpp"

namespace kore::python {

/// Calls `visit` with every piece of a table that Python gives, as (frame, y, weights) or with groups,
/// without the lock, so that other Python threads can run.
template <typename Visit>
void for_each_piece(const nb::object& pieces, const Visit& visit) {
  for (const nb::handle item : pieces) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    const auto parts = nb::cast<nb::tuple>(item);
    const auto y = nb::cast<DenseNumbers>(parts[1]);
    const auto weights = nb::cast<std::optional<DenseNumbers>>(parts[2]);
    std::optional<DenseNumbers> groups;
    if (parts.size() > 3) groups = nb::cast<std::optional<DenseNumbers>>(parts[3]);
    const table::TablePiece piece{nb::cast<const table::Frame&>(parts[0]), span_of(y), span_of(weights),
                                  span_of(groups)};
    const nb::gil_scoped_release unlocked;
    visit(piece);
  }
}

}  // namespace kore::python
