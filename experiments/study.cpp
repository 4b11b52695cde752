#include "experiments/study.hpp"

namespace kore::experiments {

std::vector<std::string> Study::column_names() const {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> Study::columns_with(Role role) const {
  std::vector<std::string> names;
  for (const Column& column : columns)
    if (column.role == role) names.push_back(column.name);
  return names;
}

}  // namespace kore::experiments
