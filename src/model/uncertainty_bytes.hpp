#pragma once

#include "base/bytes.hpp"
#include "kore/model.hpp"

namespace kore {

/// Of every effect, what files of older versions do not hold: effective parameters, test, concurvity and the
/// covariance of a pair. An optional section.
void write_uncertainty(ByteWriter& out, const std::vector<Effect>& effects);
void read_uncertainty(ByteReader& in, Model& model);

/// Whether parameters, test and concurvity of a term can be what they are said to be, if they are known.
bool knows_parameters(const Effect& effect, std::size_t functions);

/// Throws `corrupt_file` where covariances do not fit the design, or a number cannot be what it is said to
/// be.
void check_uncertainty(const Model& model);

}  // namespace kore
