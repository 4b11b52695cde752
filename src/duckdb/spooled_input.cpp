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

void check_kept(int error) {
  if (error == 0) return;
  throw Error(ErrorCode::io, "no_room_for_input",
              "The standard input cannot be kept in the folder for temporary files: {cause}.",
              {{"cause", system::error_text(error)}});
}

void remove_file(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

}  // namespace

bool is_standard_input(std::string_view text) { return text == "-" || text == "/dev/stdin"; }

bool is_open_pipe(std::string_view text) {
  const bool descriptor = text.starts_with("/dev/fd/") || text.starts_with("/proc/self/fd/");
  std::error_code ignored;
  return descriptor && std::filesystem::is_fifo(std::filesystem::path(text), ignored);
}

SpooledInput::SpooledInput() { copy(system::standard_input); }

SpooledInput::SpooledInput(const std::string& pipe) {
  const system::Opened opened = system::open_file(pipe, system::Access::read);
  if (opened.error != 0) refuse("opened", opened.error);
  copy(opened.file.number());
}

SpooledInput::~SpooledInput() {
  if (named_) remove_file(path_);
}

void SpooledInput::copy(int from) {
  const std::filesystem::path folder = system::temporary_folder();
  unnamed_ = system::open_unnamed(folder).file;
  system::Descriptor named;
  if (unnamed_) {
    path_ = system::path_of(unnamed_);
  } else {
    path_ = (folder / fmt::format("kore-{}-input.csv", system::process_id())).string();
    named_.emplace(path_);
    system::Opened kept = system::open_file(path_, system::Access::create_private);
    check_kept(kept.error);
    named = std::move(kept.file);
  }
  const int to = unnamed_ ? unnamed_.number() : named.number();
  try {
    std::array<std::byte, 65536> buffer{};
    for (;;) {
      const system::Received received = system::read_some(from, buffer);
      if (received.error != 0) refuse("read", received.error);
      if (received.bytes == 0) break;
      check_kept(system::write_all(to, std::span(buffer).first(received.bytes)));
    }
  } catch (...) {
    if (named_) remove_file(path_);
    throw;
  }
}

}  // namespace kore::duckdb
