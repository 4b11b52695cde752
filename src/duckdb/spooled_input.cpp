#include "duckdb/spooled_input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "kore/error.hpp"

namespace kore::duckdb {
namespace {

[[noreturn]] void refuse(const std::string& what, int number) {
  throw Error(ErrorCode::io, fmt::format("The standard input cannot be {}: {}.", what,
                                         std::generic_category().message(number)));
}

std::string spool_name() {
  return (std::filesystem::temp_directory_path() / fmt::format("kore-{}-input.csv", ::getpid())).string();
}

void write_all(int file, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(file, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse("kept in the folder for temporary files", errno);
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

}  // namespace

bool is_standard_input(std::string_view text) { return text == "-" || text == "/dev/stdin"; }

SpooledInput::SpooledInput() : path_(spool_name()), unfinished_(path_) {
  try {
    copy();
  } catch (...) {
    ::unlink(path_.c_str());
    throw;
  }
}

SpooledInput::~SpooledInput() { ::unlink(path_.c_str()); }

void SpooledInput::copy() {
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) refuse("kept in the folder for temporary files", errno);
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse("read", errno);
    if (count == 0) break;
    write_all(file, buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(file);
}

}  // namespace kore::duckdb
