#pragma once

#include <string_view>

#include "kore/model.hpp"

namespace kore {

/// Throws `corrupt_file` unless every part of a model that was read agrees with the others: indexes are those
/// of features and terms, counts and lengths fit the design, numbers that predictions and pictures are made
/// of are finite, lists that rise do, names are UTF-8. Code that uses a model relies on this and checks
/// nothing again. A reader of a new section adds its own checks beside it, or here.
void check_model(const Model& model);

/// What reading beyond the ends of a model's lists would take, and nothing else: costs next to nothing.
/// Models are open structs, which a program may also put together itself, so that consumers ask for it.
void check_lengths(const Model& model);

/// For readers of sections. The sentence names the field: "its {field} {fault}".
void require_of_model(bool holds, std::string_view field, std::string_view fault);

}  // namespace kore
