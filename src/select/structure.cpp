#include "select/pilots.hpp"

namespace kore {

const char* to_string(Family family) {
  switch (family) {
    case Family::additive:
      return "additive";
    case Family::pairwise:
      return "pairwise";
    case Family::threeway:
      break;
  }
  return "threeway";
}

Family choose_structure(const Selection& additive, const Selection& pairwise) {
  // A skipped family has an infinite LOO and so never wins; a tie goes to the simpler family.
  return or_infinity(pairwise.loo) < or_infinity(additive.loo) ? Family::pairwise : Family::additive;
}

}  // namespace kore
