#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kore::test {

using CsvLine = std::map<std::string, std::string>;

inline std::string file_content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The fields of CSV text, line by line, quotes taken off; written apart from the engine's own reader.
inline std::vector<std::vector<std::string>> csv_fields(std::string_view text) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> line(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
      line.back() += text[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      line.emplace_back();
    else if (c == '\n' && !quoted)
      lines.push_back(std::exchange(line, std::vector<std::string>(1)));
    else if (c != '\r')
      line.back() += c;
  }
  if (line.size() > 1 || !line.front().empty()) lines.push_back(line);
  return lines;
}

/// Lines of CSV text by the names of the header.
inline std::vector<CsvLine> csv_lines(std::string_view text) {
  const auto fields = csv_fields(text);
  std::vector<CsvLine> lines;
  for (std::size_t i = 1; i < fields.size(); ++i) {
    if (fields[i].size() != fields[0].size()) throw std::runtime_error("a line of another length");
    CsvLine line;
    for (std::size_t c = 0; c < fields[i].size(); ++c) line[fields[0][c]] = fields[i][c];
    lines.push_back(std::move(line));
  }
  return lines;
}

inline std::vector<CsvLine> read_csv_text(const std::filesystem::path& path) {
  return csv_lines(file_content(path));
}

/// A column of CSV text as numbers.
inline std::vector<double> csv_numbers(std::string_view text, const std::string& column) {
  std::vector<double> numbers;
  for (const CsvLine& line : csv_lines(text)) numbers.push_back(std::stod(line.at(column)));
  return numbers;
}

}  // namespace kore::test
