#include "duckdb/spooled_input.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "base/system.hpp"
#include "kore/error.hpp"

namespace kore::duckdb {
namespace {

[[noreturn]] void refuse(const std::string& what, int number) {
  throw Error(ErrorCode::io, "unreadable_standard_input", "The standard input cannot be {what}: {cause}.",
              {{"what", what}, {"cause", system::error_text(number)}});
}

std::string spool_name() {
  return (std::filesystem::temp_directory_path() / fmt::format("kore-{}-input.csv", system::process_id()))
      .string();
}

void remove_file(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

}  // namespace

bool is_standard_input(std::string_view text) { return text == "-" || text == "/dev/stdin"; }

SpooledInput::SpooledInput() : path_(spool_name()), unfinished_(path_) {
  try {
    copy();
  } catch (...) {
    remove_file(path_);
    throw;
  }
}

SpooledInput::~SpooledInput() { remove_file(path_); }

void SpooledInput::copy() {
  const system::Opened kept = system::open_file(path_, system::Access::create_private);
  const auto check_kept = [](int error) {
    if (error != 0) refuse("kept in the folder for temporary files", error);
  };
  check_kept(kept.error);
  std::array<std::byte, 65536> buffer{};
  for (;;) {
    const system::Received received = system::read_some(system::standard_input, buffer);
    if (received.error != 0) refuse("read", received.error);
    if (received.bytes == 0) break;
    check_kept(system::write_all(kept.file.number(), std::span(buffer).first(received.bytes)));
  }
}

}  // namespace kore::duckdb
