#include "base/system.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <thread>
#include <vector>

namespace kore {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone with the test.
class System : public testing::Test {
 protected:
  System() { fs::create_directories(folder_); }
  ~System() override { fs::remove_all(folder_); }

  fs::path path(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("kore-system-test-" + std::to_string(system::process_id()));
};

TEST_F(System, HasRoomForALittleAndNotForEverything) {
  EXPECT_TRUE(system::has_room_for(std::size_t{1} << 20));
  EXPECT_FALSE(system::has_room_for(std::size_t{1} << 60));
}

TEST_F(System, WritesMoreThanAPipeHoldsAtOnce) {
  std::vector<std::byte> sent(1'000'000);
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::byte>(i % 251);
  system::Pipe pipe = system::make_pipe();
  ASSERT_EQ(pipe.error, 0);
  int error = -1;
  std::thread writer([&] {
    error = system::write_all(pipe.entrance.number(), sent);
    pipe.entrance.close();
  });
  std::vector<std::byte> received;
  std::array<std::byte, 1000> buffer{};
  for (;;) {
    const system::Received some = system::read_some(pipe.exit.number(), buffer);
    ASSERT_EQ(some.error, 0);
    if (some.bytes == 0) break;
    received.insert(received.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(some.bytes));
  }
  writer.join();
  EXPECT_EQ(error, 0);
  EXPECT_EQ(received, sent);
}

TEST_F(System, ADescriptorCanBeOpenedByItsPath) {
  system::Pipe pipe = system::make_pipe();
  std::ofstream(system::path_of(pipe.entrance)) << "hello";
  std::array<std::byte, 16> buffer{};
  EXPECT_EQ(system::read_some(pipe.exit.number(), buffer).bytes, 5U);
}

TEST_F(System, CreatesOnlyWhatDoesNotExist) {
  EXPECT_EQ(system::open_file(path("new"), system::Access::create).error, 0);
  EXPECT_EQ(system::open_file(path("new"), system::Access::create).error, EEXIST);
  EXPECT_EQ(system::open_file(path("new"), system::Access::create_private).error, EEXIST);
}

TEST_F(System, OverwritesAndReadsOnlyWhatExists) {
  EXPECT_EQ(system::open_file(path("none"), system::Access::read).error, ENOENT);
  EXPECT_EQ(system::open_file(path("none"), system::Access::overwrite).error, ENOENT);
  std::ofstream(path("old")) << "much text";
  EXPECT_EQ(system::open_file(path("old"), system::Access::overwrite).error, 0);
  EXPECT_EQ(fs::file_size(path("old")), 0U);
}

TEST_F(System, KeepsAPrivateFileFromOthers) {
  ASSERT_EQ(system::open_file(path("private"), system::Access::create_private).error, 0);
  EXPECT_EQ(fs::status(path("private")).permissions() & (fs::perms::group_all | fs::perms::others_all),
            fs::perms::none);
}

TEST_F(System, TellsWhyItCouldNotWrite) {
  const system::Opened opened = [this] {
    std::ofstream(path("read")) << "text";
    return system::open_file(path("read"), system::Access::read);
  }();
  const int error = system::write_all(opened.file.number(), std::vector<std::byte>(1));
  EXPECT_EQ(error, EBADF);
  EXPECT_EQ(system::error_text(error), "Bad file descriptor");
}

TEST_F(System, AClosedOrMovedDescriptorIsNone) {
  system::Descriptor first = system::open_file(path("file"), system::Access::create).file;
  ASSERT_TRUE(first);
  system::Descriptor second = std::move(first);
  EXPECT_TRUE(second);
  second.close();
  EXPECT_FALSE(second);
}

TEST_F(System, RemovesAFileOrAFolderWithItsFiles) {
  std::ofstream(path("file")) << "text";
  fs::create_directories(path("folder"));
  for (int i = 0; i < 300; ++i) std::ofstream(path("folder") / std::to_string(i)) << i;
  system::remove_in_signal_handler(path("file").c_str());
  system::remove_in_signal_handler(path("folder").c_str());
  EXPECT_FALSE(fs::exists(path("file")));
  EXPECT_FALSE(fs::exists(path("folder")));
}

TEST_F(System, KnowsHowMuchMemoryThereIs) {
  std::ifstream facts("/proc/meminfo");
  std::string name;
  std::uint64_t kilobytes = 0;
  if (!(facts >> name >> kilobytes) || name != "MemTotal:") GTEST_SKIP() << "no second source to compare";
  EXPECT_NEAR(static_cast<double>(system::physical_memory().value()), 1024.0 * static_cast<double>(kilobytes),
              1e-3 * 1024.0 * static_cast<double>(kilobytes));
}

TEST_F(System, AForkThatEndsLeavesThisProcessAsItIs) {
  const long before = system::process_id();
  system::fork_and_end();
  EXPECT_EQ(system::process_id(), before);
}

}  // namespace
}  // namespace kore
