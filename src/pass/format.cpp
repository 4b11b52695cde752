#include "pass/format.hpp"

#include "design/design_bytes.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

// Since 2 sums of least squares name their response, since 3 shifts of the target its scale.
constexpr std::uint32_t format_version = 3;

std::vector<std::byte> seal_kind(const char* letters, PassKind kind, std::span<const std::byte> content) {
  ByteWriter out;
  out.u8(static_cast<std::uint8_t>(kind));
  out.section(content);
  return seal(letters, format_version, out.bytes());
}

}  // namespace

std::vector<std::byte> seal_task(PassKind kind, std::span<const std::byte> content) {
  return seal_kind("KTSK", kind, content);
}

std::vector<std::byte> seal_result(PassKind kind, std::span<const std::byte> content) {
  return seal_kind("KSUM", kind, content);
}

OpenedTask open_task(std::span<const std::byte> task) {
  ByteReader in(open_sealed(task, "KTSK", format_version, "task").content);
  const auto kind = read_enum(in, PassKind::weighed);
  return {kind, ByteReader(in.section())};
}

ByteReader open_result(PassKind kind, std::span<const std::byte> result) {
  ByteReader in(open_sealed(result, "KSUM", format_version, "result").content);
  if (in.u8() != static_cast<std::uint8_t>(kind)) refuse_result();
  return ByteReader(in.section());
}

const Response& read_response(ByteReader& task) {
  const Response* response = find_response(task.text());
  if (response == nullptr) refuse_task();
  return *response;
}

void require_memory(std::uint64_t bytes, std::uint64_t most_bytes) {
  if (bytes > most_bytes)
    throw Error(ErrorCode::corrupt_file, "task_too_large",
                "The KORE task asks for sums of {bytes} bytes, but there are {most}. It is damaged, or meant "
                "for a larger machine.",
                {{"bytes", bytes}, {"most", most_bytes}});
}

void refuse_task() {
  throw Error(ErrorCode::corrupt_file, "damaged_task", "The KORE task contradicts itself: it is damaged.");
}

void refuse_result() {
  throw Error(ErrorCode::corrupt_file, "result_of_another_task", "The KORE result belongs to another task.");
}

}  // namespace kore
