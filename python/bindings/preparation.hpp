#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "kore/fit.hpp"
#include "kore/table_model.hpp"

namespace kore::python {

/// What is the same however the rows of a table are read: its encoding, and what the engine is told.
class Preparation {
 public:
  /// Pairs of columns as pairs of the features made from them.
  std::vector<FeaturePair> feature_pairs(
      const std::vector<std::pair<std::string, std::string>>& columns) const;
  /// Features that the columns have become.
  std::size_t features() const { return encoding_.features.size(); }
  /// Columns of the largest model that a fit of so many rows may try.
  std::size_t columns_at_most(Options options, std::uint64_t rows) const;

 protected:
  Preparation(std::string target, const std::string& profile);

  /// Decides the encoding; the first thing to do.
  void encode(std::vector<table::ColumnSummary> columns);
  void add_note(std::string note) { notes_.push_back(std::move(note)); }
  const table::Encoding& encoding() const { return encoding_; }
  Names names() const;
  /// Adds what follows from the columns to options that were set by name.
  void complete(Options& options) const;
  table::TableModel fit_rows(const RowSource& source, Options options, const std::string& origin,
                             const nb::object& progress) const;

 private:
  std::chrono::steady_clock::time_point start_;
  std::string target_;
  bool paper_;
  std::vector<table::ColumnSummary> columns_;
  table::Encoding encoding_;
  std::vector<std::string> notes_;
};

/// For `Options::progress`; the callback may be None and has to outlive the fit.
std::function<void(const Progress&)> watched(const nb::object& callback);

}  // namespace kore::python
