#pragma once

#include <optional>
#include <string>
#include <vector>

#include "export/export.hpp"
#include "kore/column_choice.hpp"
#include "kore/options.hpp"
#include "table/curve_choices.hpp"
#include "table/training.hpp"

/// What callers ask for, read from JSON. Every function throws `invalid_argument` for a text that is no JSON
/// object, a key that it does not know and a value of another type.
namespace kore::c_interface {

struct FitRequest {
  table::ColumnChoice columns;
  std::string family = "auto";
  table::Profile profile = table::Profile::standard;
  table::LevelOptions levels;
  Options options;
  /// Of columns; empty unless `options.pair_choice` is `given`.
  std::vector<std::pair<std::string, std::string>> pairs;
  table::CurveChoices curves;
  bool scale_given = false;  ///< Another word than "auto".
  std::string origin = "the table";
};
FitRequest fit_request(const char* json);

struct PredictRequest {
  std::optional<double> interval;
  std::optional<double> band;
  bool errors = false;
  bool link = false;
  bool terms = false;
  bool explain = false;
  bool raw = false;
  bool outside = false;
  int threads = 0;
};
/// A null pointer asks for predictions alone.
PredictRequest predict_request(const char* json);

struct ExportRequest {
  std::string to;
  std::string name = "kore_model";
  bool single = false;  ///< The numbers of ONNX.
  portable::SqlOptions sql;
};
ExportRequest export_request(const char* json);

}  // namespace kore::c_interface
