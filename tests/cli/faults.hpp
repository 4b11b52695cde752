#pragma once

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore::test {

/// What may go wrong around the command. Nothing is lost, nothing stays, and there is a sentence.
class Faults : public CommandTest {
 protected:
  void SetUp() override {
    write_rows(folder.path("rows.csv"), made_up_rows(2000, 4, 3));
    kore({"fit", "rows.csv", "-t", "y", "-q", "-o", "rows.kore"});
    std::filesystem::create_directory(folder.path("temporary"));
  }

  /// Ends with one sentence and a status that a script can rely on; never by a signal of its own making.
  void expect_sentence(const Outcome& outcome, int status) const {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.err.rfind("kore: ", 0), 0U) << outcome.err;
    EXPECT_EQ(outcome.err.find("terminate called"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("Resource temporarily unavailable\n"), std::string::npos) << outcome.err;
  }

  /// With limits of the shell in front.
  Outcome limited(const std::string& limits, const std::string& command) const {
    return shell(limits + "; exec " + std::string(KORE_COMMAND) + " " + command);
  }

  /// With calls of the system that go wrong (faulty_calls.cpp).
  Outcome with_fault(const std::string& fault, const std::string& file, long after,
                     const std::string& command) const {
    // The second setting lets a sanitized command load it, too.
    return limited(
        "export LD_PRELOAD=" KORE_FAULTY_CALLS " ASAN_OPTIONS=verify_asan_link_order=0 KORE_FAULT=" + fault +
            " KORE_FAULT_FILE=" + file + " KORE_FAULT_AFTER=" + std::to_string(after),
        command);
  }
};

}  // namespace kore::test
