// What callers of the C interface ask for, as JSON.
#include <array>
#include <string>

#include "c_interface/requests.hpp"
#include "fuzz/uses.hpp"

namespace kore::fuzz {

bool run_options(Given bytes) {
  using namespace c_interface;
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  FitRequest request;
  bool accepted = allow_refusal([&] { request = fit_request(text.c_str()); });
  if (accepted) consume("options checked", [&] { request.options.check(2); });
  accepted |= allow_refusal([&] { predict_request(text.c_str()); });
  accepted |= allow_refusal([&] { export_request(text.c_str()); });
  return accepted;
}

std::span<const std::string_view> option_words() {
  static constexpr std::array<std::string_view, 65> words{"{",
                                                          "}",
                                                          "[",
                                                          "]",
                                                          ":",
                                                          ",",
                                                          "null",
                                                          "true",
                                                          "false",
                                                          "\"\"",
                                                          "0",
                                                          "1",
                                                          "-1",
                                                          "0.5",
                                                          "1e308",
                                                          "2.5",
                                                          "1e10",
                                                          "4294967296",
                                                          "99999999999999999999999",
                                                          "\"target\":\"y\"",
                                                          "\"target\"",
                                                          "\"y\"",
                                                          "\"weights\"",
                                                          "\"precision\"",
                                                          "\"group\"",
                                                          "\"features\"",
                                                          "\"drop\"",
                                                          "\"categorical\"",
                                                          "\"origin\"",
                                                          "\"profile\"",
                                                          "\"paper\"",
                                                          "\"default\"",
                                                          "\"structure\"",
                                                          "\"auto\"",
                                                          "\"additive\"",
                                                          "\"pairwise\"",
                                                          "\"pairs\"",
                                                          "\"all\"",
                                                          "\"none\"",
                                                          "[[\"a\",\"b\"]]",
                                                          "[\"a\"]",
                                                          "\"scale\"",
                                                          "\"sqrt\"",
                                                          "\"loss\"",
                                                          "\"robust\"",
                                                          "\"max_order\"",
                                                          "\"referee_folds\"",
                                                          "\"degree\"",
                                                          "\"threads\"",
                                                          "\"max_resolution_additive\"",
                                                          "\"max_resolution_pairwise\"",
                                                          "\"max_levels\"",
                                                          "\"cyclic\"",
                                                          "\"max_resolutions\"",
                                                          "{\"a\":24}",
                                                          "\"interval\"",
                                                          "\"terms\"",
                                                          "\"outside\"",
                                                          "\"to\"",
                                                          "\"sql\"",
                                                          "\"onnx\"",
                                                          "\"dialect\"",
                                                          "\"table\"",
                                                          "\"keep\"",
                                                          "\"\\ud800\""};
  return words;
}

}  // namespace kore::fuzz
