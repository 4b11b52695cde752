#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "kore/classes.hpp"
#include "kore/table_model.hpp"

namespace kore::table {

/// A model of a target of three classes or more: for each class a binomial model of the class against all
/// others, and how their probabilities become those of all classes. Every class has its own terms, and its
/// effects are those of a model of yes and no.
struct ClassModel {
  std::vector<std::string> classes;
  std::vector<TableModel> models;  ///< One for each class, all with the same encoding.
  ClassCoupling coupling;
  ClassAccuracy accuracy;

  const std::string& target() const { return models.front().model.target; }
};

/// The probability of each class, a column for each. Throws as `predict` does.
std::vector<std::vector<double>> predict_classes(const ClassModel& model, const MatrixView& x,
                                                 int threads = 1, std::size_t first_row = 0);

/// The model of one class. Throws `invalid_argument`, with all classes, where there is none of this name.
const TableModel& model_of_class(const ClassModel& model, const std::string& name);

std::vector<std::byte> to_bytes(const ClassModel& model);
/// Throws `corrupt_file` or `unsupported_version`.
ClassModel class_model_from_bytes(std::span<const std::byte> bytes);
/// Whether bytes claim to be a model of classes.
bool holds_classes(std::span<const std::byte> bytes);

void save(const ClassModel& model, const std::filesystem::path& path);
/// Throws as `load_table_model` does.
ClassModel load_class_model(const std::filesystem::path& path);

}  // namespace kore::table
