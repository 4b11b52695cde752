#include "table/one_class.hpp"

#include <algorithm>

namespace kore::table {

OneClass::OneClass(const RowSource& rows, std::size_t position)
    : rows_(rows), position_(static_cast<double>(position)) {
  if (rows.in_memory()) rows.for_each_block([&](const RowBlock& block) { as_yes_or_no(block, target_); });
}

RowBlock OneClass::as_yes_or_no(const RowBlock& block, std::vector<double>& target) const {
  target.resize(block.rows());
  std::ranges::transform(block.y, target.begin(), [&](double y) { return y == position_ ? 1.0 : 0.0; });
  return {block.x, target, block.weights, block.groups};
}

void OneClass::for_each_block(const std::function<void(const RowBlock&)>& visit) const {
  std::vector<double> target;
  rows_.for_each_block([&](const RowBlock& block) {
    if (rows_.in_memory())
      visit({block.x, target_, block.weights, block.groups});
    else
      visit(as_yes_or_no(block, target));
  });
}

}  // namespace kore::table
