#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "kore/error.hpp"

/// Readers of bytes that others may have made. Each target reads bytes, and uses what was accepted for
/// everything that it is for. libFuzzer runs them (fuzzer.cpp), and so does an ordinary test (fuzz_test.cpp).
namespace kore::fuzz {

using Bytes = std::vector<std::byte>;
using Given = std::span<const std::byte>;

/// What the bytes of a target look like, and so how they are changed.
enum class Form {
  envelopes,  ///< As KORE writes them: with lengths and checksums, often one in the other.
  text,       ///< Words between punctuation.
  any,
};

struct Target {
  std::string_view name;
  Form form;
  /// Whether a reader accepted the bytes; then they are used, too (uses.hpp). Any exception is a finding.
  bool (*run)(Given bytes);
  /// Texts: what such a text is made of.
  std::span<const std::string_view> words = {};
};

/// All of them.
std::span<const Target> targets();

// Readers throw `Error` for bytes that they refuse, and users may for what they are asked. Nothing else is
// allowed to escape.

/// Runs work that may refuse what it is asked. Whether it did not.
template <class Work>
bool allow_refusal(const Work& work) {
  try {
    work();
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool run_model(Given bytes);
bool run_classes(Given bytes);
bool run_task(Given bytes);
bool run_result(Given bytes);
bool run_accumulators(Given bytes);
bool run_fit(Given bytes);
bool run_encoding(Given bytes);
bool run_arrow(Given bytes);
bool run_options(Given bytes);
bool run_texts(Given bytes);
bool run_table(Given bytes);
std::span<const std::string_view> option_words();
std::span<const std::string_view> table_words();

}  // namespace kore::fuzz
