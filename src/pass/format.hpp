#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "kore/response.hpp"

namespace kore {

/// The kinds of passes in serialised tasks. Their numbers are part of the format, so new kinds come last.
enum class PassKind : std::uint8_t {
  survey,
  equal_features,
  gram,
  residual_gram,
  dense_products,
  press,
  shifted,
  weighed,
};

std::vector<std::byte> seal_task(PassKind kind, std::span<const std::byte> content);
std::vector<std::byte> seal_result(PassKind kind, std::span<const std::byte> content);

struct OpenedTask {
  PassKind kind;
  ByteReader content;
};
/// Both throw `corrupt_file` or `unsupported_version` for bytes that are damaged, newer, or of another kind.
OpenedTask open_task(std::span<const std::byte> task);
ByteReader open_result(PassKind kind, std::span<const std::byte> result);

/// The response that a task names.
const Response& read_response(ByteReader& task);

/// Refuses a task whose sums take more memory than it may have.
void require_memory(std::uint64_t bytes, std::uint64_t most_bytes);

/// Throws `corrupt_file` for a task or result that contradicts itself.
[[noreturn]] void refuse_task();
[[noreturn]] void refuse_result();

}  // namespace kore
