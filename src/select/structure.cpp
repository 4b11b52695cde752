#include "select/pilots.hpp"

namespace kore {

const char* to_string(Structure structure) {
  switch (structure) {
    case Structure::additive:
      return "additive";
    case Structure::pairwise:
      return "pairwise";
    case Structure::threeway:
      break;
  }
  return "threeway";
}

Structure choose_structure(const Selection& additive, const Selection& pairwise) {
  // A skipped structure has an infinite LOO and so never wins; a tie goes to the simpler structure.
  return or_infinity(pairwise.loo) < or_infinity(additive.loo) ? Structure::pairwise : Structure::additive;
}

}  // namespace kore
