#include "base/control_group.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace kore::system {
namespace {

namespace fs = std::filesystem;

/// Files as the kernel shows them.
class Groups {
 public:
  Groups() : root_(fs::path(testing::TempDir()) / ("kore-groups-" + std::to_string(::getpid()))) {
    fs::remove_all(root_);
  }
  ~Groups() { fs::remove_all(root_); }
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::optional<std::uint64_t> limit() const { return control_group_limit(root_ / "cgroup", root_ / "fs"); }

 private:
  fs::path root_;
};

TEST(ControlGroups, OfTheSecondVersionLimitByTheSmallestAround) {
  const Groups groups;
  groups.write("cgroup", "0::/a/b\n");
  groups.write("fs/a/memory.max", "80000000\n");
  groups.write("fs/a/b/memory.max", "max\n");
  EXPECT_EQ(groups.limit(), 80'000'000U);
  groups.write("fs/a/b/memory.max", "70000000\n");
  EXPECT_EQ(groups.limit(), 70'000'000U);
}

TEST(ControlGroups, OfAContainerStandAtTheRoot) {
  const Groups groups;
  groups.write("cgroup", "0::/system.slice/docker-1.scope\n");
  groups.write("fs/memory.max", "12345678\n");
  EXPECT_EQ(groups.limit(), 12'345'678U);
}

TEST(ControlGroups, OfTheFirstVersionAreFoundAmongOthers) {
  const Groups groups;
  groups.write("cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/1\n0::/\n");
  groups.write("fs/memory/docker/1/memory.limit_in_bytes", "99000000\n");
  groups.write("fs/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(groups.limit(), 99'000'000U);
}

TEST(ControlGroups, WithoutALimitOrWithoutGroupsLimitNothing) {
  const Groups groups;
  EXPECT_EQ(groups.limit(), std::nullopt);
  groups.write("cgroup", "0::/a\nnonsense\n");
  groups.write("fs/a/memory.max", "max\n");
  EXPECT_EQ(groups.limit(), std::nullopt);
}

}  // namespace
}  // namespace kore::system
