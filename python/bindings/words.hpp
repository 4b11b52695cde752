#pragma once

#include <string>

#include "kore/message.hpp"

namespace kore::python {

/// A message as a user of an estimator reads it, with advice.
std::string worded(const Message& message);
/// The same without advice, where the estimator has already followed it.
std::string statement(const Message& message);

}  // namespace kore::python
