#include "export/onnx_graph.hpp"

#include <bit>

namespace kore::portable {
namespace {

// Versions of the format and of the two sets of operators.
constexpr std::int64_t ir_version = 8;
constexpr std::int64_t operators = 17;
constexpr std::int64_t ml_operators = 3;
constexpr std::string_view ml_domain = "ai.onnx.ml";

void add_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) to += static_cast<char>(value | 0x80U);
  to += static_cast<char>(value);
}

void add_integer(std::string& to, std::uint32_t field, std::int64_t value) {
  add_varint(to, std::uint64_t{field} << 3U);
  add_varint(to, static_cast<std::uint64_t>(value));
}

void add_bytes(std::string& to, std::uint32_t field, std::string_view bytes) {
  add_varint(to, std::uint64_t{field} << 3U | 2U);
  add_varint(to, bytes.size());
  to += bytes;
}

/// Eight bytes, the lowest first.
void add_word(std::string& to, std::uint64_t word) {
  for (int byte = 0; byte < 8; ++byte, word >>= 8U) to += static_cast<char>(word & 0xffU);
}

std::string value_info(const std::string& name, TensorType type, std::size_t columns) {
  std::string rows;
  add_bytes(rows, 2, "rows");
  std::string size;
  add_integer(size, 1, static_cast<std::int64_t>(columns));
  std::string shape;
  add_bytes(shape, 1, rows);
  add_bytes(shape, 1, size);
  std::string tensor;
  add_integer(tensor, 1, static_cast<std::int64_t>(type));
  add_bytes(tensor, 2, shape);
  std::string of_type;
  add_bytes(of_type, 1, tensor);
  std::string info;
  add_bytes(info, 1, name);
  add_bytes(info, 2, of_type);
  return info;
}

std::string tensor(const std::string& name, TensorType type, const std::vector<std::int64_t>& shape,
                   const std::string& raw) {
  std::string bytes;
  for (const std::int64_t size : shape) add_integer(bytes, 1, size);
  add_integer(bytes, 2, static_cast<std::int64_t>(type));
  add_bytes(bytes, 8, name);
  add_bytes(bytes, 9, raw);
  return bytes;
}

std::string attribute_bytes(const Attribute& attribute) {
  constexpr std::int64_t integer = 2, integer_list = 7, text_list = 8;
  std::string bytes;
  add_bytes(bytes, 1, attribute.name);
  if (!attribute.list) {
    add_integer(bytes, 3, attribute.integers.front());
    add_integer(bytes, 20, integer);
    return bytes;
  }
  for (const std::int64_t value : attribute.integers) add_integer(bytes, 8, value);
  for (const std::string& text : attribute.texts) add_bytes(bytes, 9, text);
  add_integer(bytes, 20, attribute.texts.empty() ? integer_list : text_list);
  return bytes;
}

std::string operator_set(std::string_view domain, std::int64_t version) {
  std::string bytes;
  add_bytes(bytes, 1, domain);
  add_integer(bytes, 2, version);
  return bytes;
}

}  // namespace

void OnnxGraph::input(const std::string& name, TensorType type) {
  add_bytes(inputs_, 11, value_info(name, type, 1));
}

void OnnxGraph::output(const std::string& name, TensorType type, std::size_t columns) {
  add_bytes(outputs_, 12, value_info(name, type, columns));
}

std::string OnnxGraph::add(std::string_view op, const std::vector<std::string>& inputs,
                           const std::vector<Attribute>& attributes, std::string result,
                           std::string_view domain) {
  if (result.empty()) result = new_name();
  std::string node;
  for (const std::string& name : inputs) add_bytes(node, 1, name);
  add_bytes(node, 2, result);
  add_bytes(node, 4, op);
  for (const Attribute& attribute : attributes) add_bytes(node, 5, attribute_bytes(attribute));
  if (!domain.empty()) add_bytes(node, 7, domain);
  add_bytes(nodes_, 1, node);
  return result;
}

std::string OnnxGraph::constant(const std::vector<double>& values, const std::vector<std::int64_t>& shape) {
  std::string raw;
  for (const double value : values) add_word(raw, std::bit_cast<std::uint64_t>(value));
  std::string name = new_name();
  add_bytes(initializers_, 5, tensor(name, TensorType::real, shape, raw));
  return name;
}

std::string OnnxGraph::integers(const std::vector<std::int64_t>& values,
                                const std::vector<std::int64_t>& shape) {
  std::string raw;
  for (const std::int64_t value : values) add_word(raw, static_cast<std::uint64_t>(value));
  std::string name = new_name();
  add_bytes(initializers_, 5, tensor(name, TensorType::int64, shape, raw));
  return name;
}

std::string OnnxGraph::file(std::string_view name, std::string_view producer_version) const {
  std::string graph = nodes_;
  add_bytes(graph, 2, name);
  graph += initializers_ + inputs_ + outputs_;
  std::string model;
  add_integer(model, 1, ir_version);
  add_bytes(model, 2, "kore");
  add_bytes(model, 3, producer_version);
  add_bytes(model, 7, graph);
  add_bytes(model, 8, operator_set("", operators));
  add_bytes(model, 8, operator_set(ml_domain, ml_operators));
  return model;
}

}  // namespace kore::portable
