#pragma once

namespace kore {

/// Refuses a choice among no candidates, with `invalid_argument`.
[[noreturn]] void refuse_no_candidate();

}  // namespace kore
