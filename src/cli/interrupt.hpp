#pragma once

namespace kore::cli {

/// On Ctrl-C, a hang-up or a request to end, removes the file that is being written before the process ends
/// as the signal says. (Whatever stood under the file's own name is untouched in any case: it is replaced
/// only by a whole new one.)
void leave_no_debris();

}  // namespace kore::cli
