#include <array>

#include "select/pilots.hpp"

namespace kore {

const char* to_string(Structure structure) {
  constexpr std::array names{"additive", "pairwise", "threeway"};
  return names.at(static_cast<std::size_t>(structure));
}

Structure choose_structure(const Selection& additive, const Selection& pairwise) {
  // A skipped structure has an infinite LOO and so never wins; a tie goes to the simpler structure.
  return or_infinity(pairwise.loo) < or_infinity(additive.loo) ? Structure::pairwise : Structure::additive;
}

}  // namespace kore
