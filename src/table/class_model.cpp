#include "kore/class_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/atomic_file.hpp"
#include "base/bytes.hpp"
#include "base/utf8.hpp"
#include "kore/error.hpp"
#include "table/named_file.hpp"

namespace kore::table {
namespace {

constexpr std::string_view kind = "KCLS";
constexpr std::uint32_t format_version = 1;
constexpr std::size_t class_bytes = 16;   // the least that a class takes: two lengths
constexpr double largest_exponent = 1e6;  // a likelihood with one row for each exponent of one is far below

void require(bool holds, std::string_view field) {
  if (!holds)
    throw Error(ErrorCode::corrupt_file, "damaged_classes",
                "The model of classes is damaged: its {field} cannot be.", {{"field", field}});
}

void write(ByteWriter& out, const ClassAccuracy& accuracy) {
  out.u8(static_cast<std::uint8_t>(accuracy.how));
  out.u64(accuracy.rows);
  for (const double value :
       {accuracy.log_loss, accuracy.null_log_loss, accuracy.error_rate, accuracy.null_error_rate})
    out.f64(value);
}

ClassAccuracy read_accuracy(ByteReader& in) {
  ClassAccuracy accuracy;
  const std::uint8_t how = in.u8();
  require(how <= static_cast<std::uint8_t>(AccuracySource::leave_one_out), "accuracy");
  accuracy.how = static_cast<AccuracySource>(how);
  accuracy.rows = in.u64();
  for (double* value :
       {&accuracy.log_loss, &accuracy.null_log_loss, &accuracy.error_rate, &accuracy.null_error_rate}) {
    *value = in.f64();
    require(*value >= 0 && std::isfinite(*value), "accuracy");
  }
  return accuracy;
}

ClassCoupling read_coupling(ByteReader& in) {
  ClassCoupling coupling;
  for (double* value : {&coupling.yes, &coupling.no}) {
    *value = in.f64();
    require(*value >= 0 && *value <= largest_exponent, "coupling");
  }
  return coupling;
}

/// What `predict_classes` and the fronts rely on.
void check(const ClassModel& model) {
  const std::set<std::string> distinct(model.classes.begin(), model.classes.end());
  require(model.classes.size() >= 2 && distinct.size() == model.classes.size(), "classes");
  const TableModel& first = model.models.front();
  for (const TableModel& one : model.models) {
    require(one.model.family == "binomial", "family");
    require(one.model.target == first.model.target, "target");
    require(one.encoding == first.encoding, "encoding");
  }
}

}  // namespace

std::vector<std::vector<double>> predict_classes(const ClassModel& model, const MatrixView& x, int threads,
                                                 std::size_t first_row) {
  std::vector<std::vector<double>> columns(model.models.size(), std::vector<double>(x.rows()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    predict(model.models[k].model, x, columns[k], threads, first_row);
  std::vector<double> row(columns.size());
  for (std::size_t r = 0; r < x.rows(); ++r) {
    for (std::size_t k = 0; k < columns.size(); ++k) row[k] = columns[k][r];
    couple(model.coupling, row);
    for (std::size_t k = 0; k < columns.size(); ++k) columns[k][r] = row[k];
  }
  return columns;
}

const TableModel& model_of_class(const ClassModel& model, const std::string& name) {
  const auto found = std::ranges::find(model.classes, name);
  if (found == model.classes.end())
    throw Error(ErrorCode::invalid_argument, "unknown_class",
                "'{class}' is not a class of this model. Its classes are {classes}.",
                {{"class", name}, {"classes", fmt::format("{}", fmt::join(model.classes, ", "))}});
  return model.models[static_cast<std::size_t>(found - model.classes.begin())];
}

std::vector<std::byte> to_bytes(const ClassModel& model) {
  ByteWriter out;
  out.u64(model.classes.size());
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    out.text(model.classes[k]);
    out.section(to_bytes(model.models[k]));
  }
  out.f64(model.coupling.yes);
  out.f64(model.coupling.no);
  write(out, model.accuracy);
  return seal(kind, format_version, out.bytes());
}

ClassModel class_model_from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(open_sealed(bytes, kind, format_version, "model of classes").content);
  ClassModel model;
  const std::size_t classes = in.count(class_bytes);
  for (std::size_t k = 0; k < classes; ++k) {
    model.classes.push_back(in.text());
    require(is_utf8(model.classes.back()), "classes");
    model.models.push_back(table_model_from_bytes(in.section()));
  }
  require(classes > 0, "classes");
  model.coupling = read_coupling(in);
  model.accuracy = read_accuracy(in);
  check(model);
  return model;
}

bool holds_classes(std::span<const std::byte> bytes) {
  return bytes.size() >= kind.size() && std::ranges::equal(bytes.first(kind.size()), kind, {}, {},
                                                           [](char c) { return static_cast<std::byte>(c); });
}

void save(const ClassModel& model, const std::filesystem::path& path) {
  write_atomically(path, to_bytes(model));
}

ClassModel load_class_model(const std::filesystem::path& path) {
  return named_after(path, [&] { return class_model_from_bytes(read_file(path)); });
}

}  // namespace kore::table
