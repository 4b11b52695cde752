#pragma once

namespace kore::cli {

/// On SIGINT, SIGHUP or SIGTERM, removes the temporary file that is being written; then the signal ends the
/// process. (An earlier file of the final name is never touched: only a complete new one replaces it.)
void leave_no_debris();

}  // namespace kore::cli
