#pragma once

#include <string>

namespace kore::python {

/// Sentences of the engine name options as the command spells them; here they become arguments.
std::string in_words_of_python(std::string sentence);

/// Why there are no pairs in a model, without what to do about it: the estimator has done it.
std::string without_advice(const std::string& sentence);

}  // namespace kore::python
