#pragma once

#include <string_view>

/// Files that are compiled in, so that a page can be written wherever the program runs.
namespace kore::report {

std::string_view page_style();
std::string_view page_script();
std::string_view model_script();
std::string_view what_if_script();
std::string_view vega_script();
std::string_view vega_lite_script();
std::string_view vega_embed_script();
std::string_view vega_licence();
std::string_view vega_lite_licence();
std::string_view vega_embed_licence();

}  // namespace kore::report
