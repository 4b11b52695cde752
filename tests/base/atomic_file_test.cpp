#include "base/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "kore/error.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

namespace fs = std::filesystem;
using test::refusal;

std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// Files of this process end at `bytes` while this lives, as they do on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

class AtomicFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "kore-base-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  fs::path path(const std::string& name) const { return folder_ / name; }
  static std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

TEST_F(AtomicFile, IsWrittenWholeAndReadBack) {
  std::string text(100'000, 'x');
  text[500] = '\0';
  write_atomically(path("model"), bytes_of(text));
  EXPECT_EQ(content(path("model")), text);
  EXPECT_EQ(read_file(path("model")), bytes_of(text));
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, ReplacesAnOlderOne) {
  write_atomically(path("model"), bytes_of("a long first version"));
  write_atomically(path("model"), bytes_of("second"));
  EXPECT_EQ(content(path("model")), "second");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, MayBeEmpty) {
  write_atomically(path("model"), {});
  EXPECT_EQ(fs::file_size(path("model")), 0u);
  EXPECT_TRUE(read_file(path("model")).empty());
}

TEST_F(AtomicFile, GetsThePermissionsOfAnyNewFile) {
  write_atomically(path("model"), bytes_of("ours"));
  std::ofstream(path("other")) << "another";
  EXPECT_EQ(fs::status(path("model")).permissions(), fs::status(path("other")).permissions());
}

TEST_F(AtomicFile, IsNotDisturbedByTheRemainsOfAKilledProcess) {
  const fs::path remains = path("model.partial-" + std::to_string(::getpid()) + "-0");
  std::ofstream(remains) << "half of";
  write_atomically(path("model"), bytes_of("whole"));
  EXPECT_EQ(content(path("model")), "whole");
  EXPECT_EQ(content(remains), "half of");
  EXPECT_EQ(entries(), 2);
}

TEST_F(AtomicFile, KeepsTheOldOneWhereWritingBreaksOffHalfWay) {
  write_atomically(path("model"), bytes_of("old"));
  const std::vector<std::byte> large(100'000);
  const std::string sentence = refusal(ErrorCode::io, [&] {
    const FileSizeLimit limit(5000);
    write_atomically(path("model"), large);
  });
  EXPECT_EQ(sentence, "Cannot write '" + path("model").string() + "': File too large.");
  EXPECT_EQ(content(path("model")), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, LeavesNothingWhereItCannotTakeItsPlace) {
  fs::create_directory(path("model"));
  std::ofstream(path("model") / "inside") << "kept";
  EXPECT_EQ(refusal(ErrorCode::io, [&] { write_atomically(path("model"), bytes_of("new")); }),
            "Cannot write '" + path("model").string() + "': Is a directory.");
  EXPECT_EQ(content(path("model") / "inside"), "kept");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, IsRefusedWhereThereIsNoSuchFolder) {
  const fs::path nowhere = path("missing") / "model";
  EXPECT_EQ(refusal(ErrorCode::io, [&] { write_atomically(nowhere, bytes_of("new")); }),
            "Cannot write '" + nowhere.string() + "': No such file or directory.");
  std::ofstream(path("file")) << "not a folder";
  const fs::path below_a_file = path("file") / "model";
  EXPECT_EQ(refusal(ErrorCode::io, [&] { write_atomically(below_a_file, bytes_of("new")); }),
            "Cannot write '" + below_a_file.string() + "': Not a directory.");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, KeepsTheOldOneWhereTheFolderCannotBeWritten) {
  write_atomically(path("model"), bytes_of("old"));
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  if (::access(folder_.c_str(), W_OK) == 0) GTEST_SKIP() << "this user may write to read-only folders";
  EXPECT_EQ(refusal(ErrorCode::io, [&] { write_atomically(path("model"), bytes_of("new")); }),
            "Cannot write '" + path("model").string() + "': Permission denied.");
  EXPECT_EQ(content(path("model")), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, ThatIsMissingOrAFolderCannotBeRead) {
  EXPECT_EQ(refusal(ErrorCode::io, [&] { read_file(path("model")); }),
            "Cannot read '" + path("model").string() + "': No such file or directory.");
  EXPECT_EQ(refusal(ErrorCode::io, [&] { read_file(folder_); }),
            "Cannot read '" + folder_.string() + "': Is a directory.");
}

}  // namespace
}  // namespace kore
