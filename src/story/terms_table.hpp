#pragma once

#include <cstddef>
#include <string>

#include "kore/decomposition.hpp"

namespace kore::story {

/// Whether tests and effective parameters of some effects are known.
bool knows_tests(const Decomposition& shown);
/// Of an approximate test, and numbers; "-" where it is not known.
std::string probability(double p);
std::string decimals(double value, int places);

/// A line for each of the `most` most important terms: its shares and, where the model holds them, effective
/// parameters, the test against no effect and concurvity.
std::string terms_table(const Decomposition& shown, std::size_t most);

/// Why the p-values are approximate, in a sentence; empty where the model holds none.
std::string terms_note(const Decomposition& shown);

}  // namespace kore::story
