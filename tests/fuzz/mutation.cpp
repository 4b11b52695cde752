#include "fuzz/mutation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace kore::fuzz {
namespace {

constexpr std::size_t head = 16;  // kind, version, length
constexpr std::size_t checksum = 8;
constexpr std::array<std::string_view, 11> kinds{"KORE", "KCLS", "KTSK", "KSUM", "KRNG", "KSMP",
                                                 "KGRM", "KPRS", "KFIT", "KTBL", "KTRS"};

std::uint64_t number_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

bool begins_envelope(std::span<const std::byte> bytes) {
  if (bytes.size() < head + checksum) return false;
  const std::string_view letters(reinterpret_cast<const char*>(bytes.data()), 4);
  for (const std::string_view kind : kinds)
    if (letters == kind) return true;
  return false;
}

void seal_in_place(std::span<std::byte> envelope) {
  const std::string_view kind(reinterpret_cast<const char*>(envelope.data()), 4);
  const auto version = static_cast<std::uint32_t>(envelope[4]);
  const auto content = envelope.subspan(head, envelope.size() - head - checksum);
  const Bytes sealed = seal(kind, version, content);
  std::memcpy(envelope.data(), sealed.data(), sealed.size());
}

/// Inner envelopes first: they are part of what outer checksums are made of. The length in front of an inner
/// one says where it ends.
void repair_span(std::span<std::byte> envelope, int depth) {
  if (!begins_envelope(envelope) || depth > 4) return;
  for (std::size_t at = head + 8; at + head + 2 * checksum <= envelope.size(); ++at) {
    if (envelope[at] != std::byte{'K'} || !begins_envelope(envelope.subspan(at))) continue;
    const std::uint64_t length = number_at(envelope, at - 8);
    if (length < head + checksum || length > envelope.size() - checksum - at) continue;
    repair_span(envelope.subspan(at, length), depth + 1);
    at += length - 1;
  }
  seal_in_place(envelope);
}

/// Numbers at which readers go wrong, among those that they expect.
std::uint64_t odd_number(std::mt19937& random) {
  const auto of = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::array<std::uint64_t, 24> odd{0,
                                          1,
                                          2,
                                          3,
                                          7,
                                          8,
                                          49,
                                          255,
                                          1U << 16,
                                          1'000'000,
                                          0xFFFFFFFFU,
                                          std::uint64_t{1} << 32,
                                          std::uint64_t{1} << 40,
                                          std::uint64_t{1} << 61,
                                          std::uint64_t{1} << 63,
                                          ~std::uint64_t{0},
                                          of(0.5),
                                          of(1),
                                          of(-1),
                                          of(1e300),
                                          of(-1e-300),
                                          of(infinite),
                                          of(-infinite),
                                          of(std::numeric_limits<double>::quiet_NaN())};
  return odd[random() % odd.size()];
}

/// Changes one place without moving the others, so that only its own meaning is wrong.
void change_one(std::span<std::byte> content, std::mt19937& random) {
  if (content.empty()) return;
  const std::size_t at = random() % content.size();
  switch (random() % 5) {
    case 0:
      content[at] = static_cast<std::byte>(random());
      return;
    case 1:
      content[at] = static_cast<std::byte>(random() % 8);
      return;
    case 2:
      content[at] ^= static_cast<std::byte>(1U << (random() % 8));
      return;
    default:
      break;
  }
  if (content.size() < 8) return;
  const std::size_t start = random() % (content.size() - 7);
  const std::uint64_t number =
      random() % 3 == 0 ? number_at(content, start) + random() % 5 - 2 : odd_number(random);
  std::memcpy(content.data() + start, &number, random() % 4 == 0 ? 4 : 8);
}

/// Makes the checksums of an envelope and of all envelopes inside it right.
void repair(std::span<std::byte> bytes) { repair_span(bytes, 0); }

std::size_t mutate_envelopes(std::uint8_t* data, std::size_t size, std::size_t most, std::mt19937& random,
                             const AnyChange& change_anything) {
  const std::span all(reinterpret_cast<std::byte*>(data), size);
  if (!begins_envelope(all) || random() % 16 == 0) {
    size = change_anything(data, size, most);
  } else if (random() % 8 == 0) {
    // Anything inside: insertions and deletions too, which the lengths further out then contradict.
    const std::size_t content = change_anything(data + head, size - head - checksum, most - head - checksum);
    size = head + content + checksum;
  } else {
    const std::size_t changes = random() % 4 == 0 ? 3 : 1;
    for (std::size_t i = 0; i < changes; ++i) change_one(all.subspan(head, size - head - checksum), random);
  }
  if (random() % 64 != 0) repair({reinterpret_cast<std::byte*>(data), size});
  return size;
}

bool ends_word(char c) { return std::string_view(" ,:;\t\n[]{}\"").find(c) != std::string_view::npos; }

/// Changes words and spans of a text.
void change_text(std::string& text, std::span<const std::string_view> words, std::mt19937& random) {
  const std::size_t at = random() % (text.size() + 1);
  std::string_view word = words[random() % words.size()];
  const std::size_t length = std::min<std::size_t>(random() % 12, text.size() - at);
  std::size_t begin = at;
  std::size_t end = at;
  switch (random() % 8) {
    case 0:
      text.insert(at, word);
      return;
    case 1:
      text.erase(at, length);
      return;
    case 2:
      text.insert(random() % (text.size() + 1), text.substr(at, length));
      return;
    default:
      while (begin > 0 && !ends_word(text[begin - 1])) --begin;
      while (end < text.size() && !ends_word(text[end])) ++end;
      // Within quotes a word stays so.
      if (begin > 0 && text[begin - 1] == '"' && word.size() > 2 && word.front() == '"' && word.back() == '"')
        word = word.substr(1, word.size() - 2);
      text.replace(begin, end - begin, word);
  }
}

std::size_t mutate_text(const Target& target, std::uint8_t* data, std::size_t size, std::size_t most,
                        std::mt19937& random, const AnyChange& change_anything) {
  if (random() % 8 == 0) return change_anything(data, size, most);
  std::string text(reinterpret_cast<const char*>(data), size);
  for (std::size_t changes = 1 + random() % 3; changes > 0; --changes)
    change_text(text, target.words, random);
  text.resize(std::min(text.size(), most));
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace

std::size_t mutate(const Target& target, std::uint8_t* data, std::size_t size, std::size_t most,
                   unsigned seed, const AnyChange& change_anything) {
  std::mt19937 random(seed);
  switch (target.form) {
    case Form::envelopes:
      return mutate_envelopes(data, size, most, random, change_anything);
    case Form::text:
      return mutate_text(target, data, size, most, random, change_anything);
    case Form::any:
      break;
  }
  // Single numbers among the others, as in an envelope.
  if (random() % 4 == 0) return change_anything(data, size, most);
  change_one({reinterpret_cast<std::byte*>(data), size}, random);
  return size;
}

std::size_t plain_change(std::mt19937& random, std::uint8_t* data, std::size_t size, std::size_t most) {
  const std::size_t at = random() % (size + 1);
  const std::size_t length = std::min<std::size_t>(1 + random() % 9, size - at);
  if (random() % 3 == 0) {  // a span fewer
    std::memmove(data + at, data + at + length, size - at - length);
    return size - length;
  }
  if (random() % 2 == 0 && size + 8 <= most) {  // eight bytes more
    std::memmove(data + at + 8, data + at, size - at);
    for (std::size_t i = 0; i < 8; ++i) data[at + i] = static_cast<std::uint8_t>(random());
    return size + 8;
  }
  for (std::size_t i = 0; i < length; ++i) data[at + i] = static_cast<std::uint8_t>(random());
  return size;
}

}  // namespace kore::fuzz
