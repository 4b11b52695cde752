#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Writes an ONNX file: a graph as it is stored by protocol buffers (onnx.proto of the ONNX project, of which
/// this needs a few messages). Writing them takes less than a library that reads and writes all of them.
namespace kore::portable {

/// A number of onnx.proto that says what a tensor holds.
enum class TensorType : std::int64_t { single = 1, int64 = 7, text = 8, boolean = 9, real = 11 };

/// An attribute of an operator.
struct Attribute {
  std::string name;
  std::vector<std::int64_t> integers = {};
  std::vector<std::string> texts = {};
  bool list = true;  ///< If not, the one integer.

  static Attribute integer(std::string name, std::int64_t value) {
    return {std::move(name), {value}, {}, false};
  }
};

/// Names of values are made up; they begin with a prefix that no input has.
class OnnxGraph {
 public:
  explicit OnnxGraph(std::string prefix) : prefix_(std::move(prefix)) {}

  /// Of shape [rows, 1].
  void input(const std::string& name, TensorType type);
  /// Of shape [rows, columns].
  void output(const std::string& name, TensorType type, std::size_t columns);
  /// Adds an operator; returns the name of its result, which is `result` if that is given.
  std::string add(std::string_view op, const std::vector<std::string>& inputs,
                  const std::vector<Attribute>& attributes = {}, std::string result = {},
                  std::string_view domain = {});
  std::string constant(const std::vector<double>& values, const std::vector<std::int64_t>& shape);
  std::string constant(double value) {
    return constant(std::vector<double>{value}, std::vector<std::int64_t>{});
  }
  std::string integers(const std::vector<std::int64_t>& values, const std::vector<std::int64_t>& shape);

  std::string file(std::string_view name, std::string_view producer_version) const;

 private:
  std::string new_name() { return prefix_ + std::to_string(names_++); }

  std::string prefix_;
  std::size_t names_ = 0;
  std::string nodes_;  ///< Bytes of fields of GraphProto.
  std::string initializers_;
  std::string inputs_;
  std::string outputs_;
};

}  // namespace kore::portable
