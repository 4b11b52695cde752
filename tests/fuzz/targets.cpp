#include "fuzz/targets.hpp"

#include <array>

namespace kore::fuzz {

std::span<const Target> targets() {
  static const std::array<Target, 11> all{{{"model", Form::envelopes, run_model},
                                           {"classes", Form::envelopes, run_classes},
                                           {"task", Form::envelopes, run_task},
                                           {"result", Form::envelopes, run_result},
                                           {"accumulators", Form::envelopes, run_accumulators},
                                           {"fit", Form::envelopes, run_fit},
                                           {"encoding", Form::any, run_encoding},
                                           {"arrow", Form::any, run_arrow},
                                           {"options", Form::text, run_options, option_words()},
                                           {"texts", Form::text, run_texts, table_words()},
                                           {"table", Form::text, run_table, table_words()}}};
  return all;
}

}  // namespace kore::fuzz
