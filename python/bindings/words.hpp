#pragma once

#include <string>

namespace kore::python {

/// Sentences of the engine name options as the command spells them; here they become arguments.
std::string in_words_of_python(std::string sentence);

}  // namespace kore::python
