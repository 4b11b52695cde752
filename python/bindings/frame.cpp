#include "table/frame.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <stdexcept>

#include "arrow/stream.hpp"
#include "bindings/bindings.hpp"
#include "kore/precision.hpp"
#include "table/groups.hpp"

namespace kore::python {
namespace {

using table::Column;
using table::Frame;
using Objects = nb::typed<nb::sequence, nb::any>;

/// Keeps a Python object alive while views of its memory exist, whichever thread drops the last one.
template <typename Object>
std::shared_ptr<const void> keep(Object object) {
  return {new Object(std::move(object)), [](const void* kept) {
            const nb::gil_scoped_acquire gil;
            delete static_cast<const Object*>(kept);
          }};
}

table::ColumnType number_type(const std::string& kind) {
  if (kind == "number") return table::ColumnType::number;
  if (kind == "boolean") return table::ColumnType::boolean;
  if (kind == "date") return table::ColumnType::date;
  if (kind == "timestamp") return table::ColumnType::timestamp;
  throw std::invalid_argument("kind must be 'number', 'boolean', 'date' or 'timestamp', got '" + kind + "'");
}

/// The first column decides how many rows there are.
void add(Frame& frame, Column column, std::size_t rows) {
  if (!frame.columns.empty() && rows != frame.rows)
    throw std::invalid_argument("Column '" + column.name + "' has " + std::to_string(rows) +
                                " rows instead of " + std::to_string(frame.rows));
  frame.rows = rows;
  frame.columns.push_back(std::move(column));
}

void add_numbers(Frame& frame, const std::string& name, const Numbers& values, const std::string& kind) {
  Column column;
  column.name = name;
  column.type = number_type(kind);
  column.numbers = {values.data(), values.stride(0)};
  column.owner = keep(values);
  add(frame, std::move(column), values.shape(0));
}

void add_matrix(Frame& frame, const std::vector<std::string>& names, const Matrix& values) {
  if (names.size() != values.shape(1))
    throw std::invalid_argument("There are " + std::to_string(values.shape(1)) + " columns and " +
                                std::to_string(names.size()) + " names");
  const std::shared_ptr<const void> owner = keep(values);
  for (std::size_t j = 0; j < names.size(); ++j) {
    Column column;
    column.name = names[j];
    column.numbers = {values.data() + static_cast<std::ptrdiff_t>(j) * values.stride(1), values.stride(0)};
    column.owner = owner;
    add(frame, std::move(column), values.shape(0));
  }
}

/// One value of a column of Python objects.
struct Item {
  enum class Kind { missing, number, boolean, text } kind = Kind::missing;
  double number = 0;
  std::string_view text;
};

Item read_item(PyObject* object, const std::string& name) {
  using Kind = Item::Kind;
  if (object == Py_None) return {};
  if (PyUnicode_Check(object)) {
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(object, &length);
    if (text == nullptr) throw nb::python_error();
    return {Kind::text, 0, {text, static_cast<std::size_t>(length)}};
  }
  if (PyBool_Check(object)) return {Kind::boolean, object == Py_True ? 1.0 : 0.0, {}};
  const std::string_view type = Py_TYPE(object)->tp_name;
  if (type.find("NAType") != std::string_view::npos || type.find("NaTType") != std::string_view::npos)
    return {};
  const double value = PyFloat_AsDouble(object);  // whatever has __float__ or __index__
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    const std::string sentence = "Column '" + name + "' holds a value of type '" + std::string(type) +
                                 "'; the argument must be a string or a real number";
    throw nb::type_error(sentence.c_str());
  }
  return value != value ? Item{} : Item{Kind::number, value, {}};
}

/// Objects are numbers if all of them are, and categories as soon as one is a text.
void add_objects(Frame& frame, const std::string& name, const Objects& values) {
  const nb::object fast = nb::steal(PySequence_Fast(values.ptr(), "a column must be a sequence"));
  if (!fast.is_valid()) throw nb::python_error();
  const auto rows = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(fast.ptr()));
  PyObject** items = PySequence_Fast_ITEMS(fast.ptr());
  std::vector<double> numbers;
  bool text = false;
  bool boolean = true;
  for (std::size_t row = 0; row < rows; ++row) {
    const Item item = read_item(items[row], name);
    text = text || item.kind == Item::Kind::text;
    boolean = boolean && (item.kind == Item::Kind::boolean || item.kind == Item::Kind::missing);
    numbers.push_back(item.kind == Item::Kind::missing ? std::numeric_limits<double>::quiet_NaN()
                                                       : item.number);
  }
  const auto type = boolean ? table::ColumnType::boolean : table::ColumnType::number;
  if (!text) {
    add(frame, table::owned_numbers(name, type, std::move(numbers)), rows);
    return;
  }
  const Column words = table::as_texts(table::owned_numbers(name, type, std::move(numbers)), rows);
  table::TextPool pool;
  for (std::size_t row = 0; row < rows; ++row) {
    const Item item = read_item(items[row], name);
    if (item.kind == Item::Kind::missing)
      pool.add_missing();
    else if (item.kind == Item::Kind::text)
      pool.add(item.text);
    else if (item.kind == Item::Kind::boolean)
      pool.add(item.number != 0 ? "true" : "false");
    else
      pool.add(words.dictionary[static_cast<std::size_t>(words.codes[row])]);
  }
  add(frame, table::TextPool::finish(std::move(pool), name), rows);
}

using Codes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::device::cpu>;

/// A categorical: places in a list of levels, which may be numbers.
void add_codes(Frame& frame, const std::string& name, const Codes& codes, const Objects& levels) {
  Frame words;
  add_objects(words, name, levels);
  const Column dictionary = words.rows == 0 ? Column{} : table::as_texts(words.columns[0], words.rows);
  table::TextPool pool;
  std::vector<std::int32_t> places;
  for (std::size_t level = 0; level < words.rows; ++level)
    places.push_back(
        dictionary.codes[level] < 0
            ? -1
            : pool.place_of(dictionary.dictionary[static_cast<std::size_t>(dictionary.codes[level])]));
  for (std::size_t row = 0; row < codes.shape(0); ++row) {
    const std::int32_t code = codes.data()[static_cast<std::ptrdiff_t>(row) * codes.stride(0)];
    pool.add_place(code < 0 ? -1 : places.at(static_cast<std::size_t>(code)));
  }
  Column column = table::TextPool::finish(std::move(pool), name);
  column.declared_category = true;
  add(frame, std::move(column), codes.shape(0));
}

void rename(Frame& frame, const std::vector<std::string>& names) {
  if (names.size() != frame.columns.size())
    throw std::invalid_argument("X has " + std::to_string(frame.columns.size()) +
                                " features, but the model is expecting " + std::to_string(names.size()) +
                                " features as input");
  for (std::size_t c = 0; c < names.size(); ++c) frame.columns[c].name = names[c];
}

Frame from_stream(const nb::object& table) {
  const nb::object capsule = table.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  return arrow::read_stream(*stream);
}

/// The groups of rows, from a frame of one column.
Result groups_of(const Frame& frame) { return to_numpy(table::groups_of(frame.columns.at(0), frame.rows)); }

Result weights_of(const DenseNumbers& precisions) { return to_numpy(precision_weights(span_of(precisions))); }

}  // namespace

void bind_frame(nb::module_& module) {
  nb::class_<Frame>(module, "Frame", "A table in memory, column by column.")
      .def(nb::init<>())
      .def_static("from_stream", &from_stream, nb::arg("table"),
                  "Anything with the Arrow C stream interface.")
      .def("add_numbers", &add_numbers, nb::arg("name"), nb::arg("values"), nb::arg("kind") = "number",
           "Numbers that are shown where they lie; NaN is a missing value.")
      .def("add_matrix", &add_matrix, nb::arg("names"), nb::arg("values"))
      .def("add_objects", &add_objects, nb::arg("name"), nb::arg("values"))
      .def("add_codes", &add_codes, nb::arg("name"), nb::arg("codes"), nb::arg("levels"))
      .def("rename", &rename, nb::arg("names"), "For tables whose columns count by their order.")
      .def_prop_ro("names", &Frame::names)
      .def_prop_ro("rows", [](const Frame& frame) { return frame.rows; });
  module.def(
      "groups_of", &groups_of, nb::arg("frame"),
      "A number for the group of each row, from a frame of one column; NaN where the value is missing.");
  module.def("precision_weights", &weights_of, nb::arg("precisions"),
             "Precisions as weights that add up to the number of rows.");
}

}  // namespace kore::python
