#include "duckdb/standard_output.hpp"

#include <array>
#include <span>
#include <system_error>

#include "base/system.hpp"
#include "kore/error.hpp"

namespace kore::duckdb {
namespace {

[[noreturn]] void refuse(int number) {
  throw Error(ErrorCode::io, "unwritable_standard_output", "The standard output cannot be written: {cause}.",
              {{"cause", system::error_text(number)}});
}

}  // namespace

StandardOutput::StandardOutput() : pipe_(system::make_pipe()) {
  if (pipe_.error != 0) refuse(pipe_.error);
  try {
    thread_ = std::thread([this] { pass_on(); });
  } catch (const std::system_error& refused) {
    refuse(refused.code().value());
  }
}

StandardOutput::~StandardOutput() {
  pipe_.entrance.close();
  if (thread_.joinable()) thread_.join();
}

std::string StandardOutput::path() const { return system::path_of(pipe_.entrance); }

void StandardOutput::finish() {
  pipe_.entrance.close();
  thread_.join();
  if (failure_ != 0) refuse(failure_);
}

// Continues to read after a failure, so that the writer does not wait forever.
void StandardOutput::pass_on() {
  std::array<std::byte, 65536> buffer{};
  for (;;) {
    const system::Received received = system::read_some(pipe_.exit.number(), buffer);
    if (received.bytes == 0) return;
    if (failure_ == 0)
      failure_ = system::write_all(system::standard_output, std::span(buffer).first(received.bytes));
  }
}

}  // namespace kore::duckdb
