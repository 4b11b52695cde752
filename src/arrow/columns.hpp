#pragma once

#include <string>
#include <vector>

struct ArrowSchema;
struct ArrowArray;

namespace kore::arrow {

struct NamedNumbers {
  std::string name;
  std::vector<double> values;
};

/// Columns of equal lengths as a struct array of doubles, which whoever gets it releases. Leaves both
/// untouched where it throws.
void write_columns(const std::vector<NamedNumbers>& columns, ArrowSchema& schema, ArrowArray& array);

}  // namespace kore::arrow
