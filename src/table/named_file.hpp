#pragma once

#include <filesystem>

#include "kore/error.hpp"

namespace kore::table {

/// What `read` returns. Adds the name of the file to its errors: who reads bytes does not know it. The reason
/// stays.
auto named_after(const std::filesystem::path& path, const auto& read) {
  try {
    return read();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io) throw;
    const Message named = error.message().with({{"file", path.string()}, {"sentence", error.what()}});
    throw Error(error.code(), named.reason(), "The file '{file}' cannot be used as a model. {sentence}",
                named.arguments());
  }
}

}  // namespace kore::table
