#pragma once

#include <string>

#include "kore/message.hpp"

namespace kore::python {

/// A message as a person reads it who calls an estimator, with what to do about it.
std::string worded(const Message& message);
/// The same without what to do about it, where the estimator has done it.
std::string statement(const Message& message);

}  // namespace kore::python
