#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kore/encoding.hpp"
#include "kore/rows.hpp"

/// Tables whose columns are arrays in memory, which belong to the caller.
namespace kore::table {

/// One column, as numbers or as positions in a dictionary of texts. Views, and the owner of their memory.
struct Column {
  std::string name;
  ColumnType type = ColumnType::number;
  ColumnView numbers;                            ///< All types but text; NaN where a value is missing.
  std::span<const std::int32_t> codes;           ///< Texts: places in the dictionary, negative where missing.
  std::span<const std::string_view> dictionary;  ///< Each text once; some may not occur.
  bool declared_category = false;     ///< Its owner calls it a category, so that no note asks about numbers.
  std::shared_ptr<const void> owner;  ///< Of the memory that the views refer to.

  bool is_text() const { return type == ColumnType::text; }
};

struct Frame {
  std::vector<Column> columns;
  std::size_t rows = 0;

  std::vector<std::string> names() const;
};

/// Builds a column of texts, each kept once.
class TextPool {
 public:
  void add(std::string_view text);
  void add_missing() { codes_.push_back(-1); }
  void reserve(std::size_t rows) { codes_.reserve(rows); }
  std::size_t rows() const { return codes_.size(); }
  /// The place of a text in the dictionary, added if it is new.
  std::int32_t place_of(std::string_view text);
  void add_place(std::int32_t place) { codes_.push_back(place); }

  static Column finish(TextPool pool, std::string name);

 private:
  std::vector<std::int32_t> codes_;
  std::unordered_map<std::string, std::int32_t>
      places_;  // nodes never move, so views of their texts stay valid
  std::vector<std::string_view> dictionary_;
};

/// A column that owns its numbers.
Column owned_numbers(std::string name, ColumnType type, std::vector<double> values);

/// Numbers, dates and booleans as texts, written as the command reads them, to become categories.
Column as_texts(const Column& column, std::size_t rows);

/// Texts as numbers, dates or booleans; markers of missing values are missing. Throws `invalid_data` with the
/// first text that is none of these.
Column as_numbers(const Column& column, ColumnType wanted, std::size_t rows);

}  // namespace kore::table
