#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kore/error.hpp"

namespace kore::test {

/// The error that work ends with; fails the test if there is none, or if it has no reason.
template <typename Work>
Error error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_NE(error.reason(), "") << error.what();
    return error;
  }
  ADD_FAILURE() << "an error was expected";
  return {ErrorCode::invalid_argument, ""};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace kore::test

#define EXPECT_SAYS(error, part) EXPECT_TRUE(kore::test::contains((error).what(), part)) << (error).what()
