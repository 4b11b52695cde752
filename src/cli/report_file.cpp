#include "cli/report_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/output.hpp"

namespace kore::cli {
namespace {

namespace fs = std::filesystem;

/// An HTML page begins with a tag, as ours does. An empty file may be replaced.
bool may_be_replaced(const fs::path& path) {
  char first = 0;
  std::ifstream file(path, std::ios::binary);
  return !file.get(first) || first == '<';
}

}  // namespace

void check_report_place(const std::string& output) {
  check_place(output, {"report", "an HTML page", may_be_replaced});
}

void write_report_on(const table::TableModel& fitted, const RowSource& source,
                     std::vector<ComparedMethod> compared, int threads, const std::string& output,
                     ProgressLine& progress) {
  progress.show("reading the errors of the rows");
  const report::Observed observed = report::observe(source, fitted.model, threads);
  report::write_report({fitted, &observed, std::move(compared)}, output);
}

std::string report_line(const std::string& output) {
  std::error_code unknown;
  const auto bytes = static_cast<double>(fs::file_size(output, unknown));
  return unknown ? "Report written to " + output
                 : fmt::format("Report written to {} ({:.1f} MB)", output, bytes / 1e6);
}

}  // namespace kore::cli
