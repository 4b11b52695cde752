#include "duckdb/standard_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <system_error>
#include <utility>

#include "kore/error.hpp"

namespace kore::duckdb {
namespace {

[[noreturn]] void refuse(int number) {
  throw Error(ErrorCode::io, fmt::format("The standard output cannot be written: {}.",
                                         std::generic_category().message(number)));
}

/// Returns the error of the system, or 0.
int write_all(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

StandardOutput::StandardOutput() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) refuse(errno);
  exit_ = ends[0];
  entrance_ = ends[1];
  thread_ = std::thread([this] { pass_on(); });
}

StandardOutput::~StandardOutput() {
  close_entrance();
  if (thread_.joinable()) thread_.join();
  close(exit_);
}

std::string StandardOutput::path() const { return fmt::format("/dev/fd/{}", entrance_); }

void StandardOutput::finish() {
  close_entrance();
  thread_.join();
  if (failure_ != 0) refuse(failure_);
}

// Continues to read after a failure, so that the writer does not wait forever.
void StandardOutput::pass_on() {
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = read(exit_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    if (failure_ == 0) failure_ = write_all(std::span(buffer).first(static_cast<std::size_t>(count)));
  }
}

void StandardOutput::close_entrance() {
  if (entrance_ >= 0) close(std::exchange(entrance_, -1));
}

}  // namespace kore::duckdb
