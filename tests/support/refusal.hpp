#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kore/error.hpp"

namespace kore::test {

/// The sentence with which `work` is refused; fails the test if it is not refused, or with another code.
template <class Work>
std::string refusal(ErrorCode code, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(code)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

}  // namespace kore::test
