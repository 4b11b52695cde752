#include "kore/pass.hpp"
#include "kore/rows.hpp"

namespace kore {

void RowSource::run(Pass& pass, int threads) const {
  for_each_block([&](const RowBlock& block) { pass.add(block, threads); });
}

}  // namespace kore
