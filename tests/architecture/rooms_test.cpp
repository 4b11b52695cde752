#include "architecture/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace kore::test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The sources of this project, from the folders that have rooms.
Sources project_sources() {
  const fs::path root = KORE_PROJECT_DIR;
  Sources sources;
  for (const char* folder : {"include/kore", "src", "experiments", "python/bindings"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".hpp" || entry.path().extension() == ".cpp")
        sources[fs::relative(entry.path(), root).generic_string()] = text_of(entry.path());
  return sources;
}

std::string lines(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n";
  return text;
}

TEST(Rooms, IncludeEachOtherAsTheDocumentSays) {
  const Rooms rooms = read_rooms(text_of(fs::path(KORE_PROJECT_DIR) / "docs/architecture.md"));
  ASSERT_GT(rooms.size(), 10U);
  EXPECT_EQ(lines(complaints(rooms, project_sources())), "");
}

TEST(Rooms, TheHeaderOfAllIncludesEveryPublicHeader) {
  const Sources sources = project_sources();
  const std::vector<std::string> included = quoted_includes(sources.at("include/kore/kore.hpp"));
  for (const auto& [path, text] : sources) {
    if (!path.starts_with("include/") || path.ends_with("/kore.hpp")) continue;
    EXPECT_EQ(std::ranges::count(included, path.substr(std::string("include/").size())), 1) << path;
  }
}

// Another system needs other calls: they must be found in one place.
TEST(Rooms, OnlyBaseTalksToTheOperatingSystem) {
  const std::set<std::string> headers{"unistd.h", "fcntl.h", "dirent.h",  "signal.h", "csignal",
                                      "poll.h",   "time.h",  "pthread.h", "sched.h",  "dlfcn.h"};
  for (const auto& [path, text] : project_sources()) {
    if (path.starts_with("src/base/system")) continue;
    for (const std::string& header : angled_includes(text)) {
      EXPECT_FALSE(headers.contains(header) || header.starts_with("sys/")) << path << " includes " << header;
    }
  }
}

// ---- The check itself, on projects made up for it.

const std::string document = R"(
Some text | with a bar.

## Rooms and arrows

| room | what it is | public headers | may include |
|---|---|---|---|
| `low` | the ground | `thing`, `other` | |
| `high` | above it | | `low` |

| another | table |
|---|---|
| x | y |
)";

const Sources sound{{"include/kore/thing.hpp", "#pragma once\n"},
                    {"include/kore/other.hpp", "#include \"kore/thing.hpp\"\n"},
                    {"include/kore/kore.hpp", "#include \"kore/thing.hpp\"\n"},
                    {"src/low/thing.cpp", "#include \"kore/thing.hpp\"\n#include <vector>\n"},
                    {"src/high/part/roof.cpp", "  # include \"kore/thing.hpp\"\n"}};

std::vector<std::string> complaints_with(const std::string& path, const std::string& text) {
  Sources sources = sound;
  sources[path] = text;
  return complaints(read_rooms(document), sources);
}

using Sentences = std::vector<std::string>;

TEST(RoomsCheck, ReadsTheTableUnderItsHeading) {
  const Rooms rooms = read_rooms(document);
  ASSERT_EQ(rooms.size(), 2U);
  EXPECT_EQ(rooms.at("low").headers, (std::set<std::string>{"thing", "other"}));
  EXPECT_EQ(rooms.at("high").may_include, (std::set<std::string>{"low"}));
}

TEST(RoomsCheck, HasNothingAgainstASoundProject) {
  EXPECT_EQ(complaints(read_rooms(document), sound), Sentences{});
}

TEST(RoomsCheck, FindsAnArrowThatTheTableDoesNotHave) {
  EXPECT_EQ(complaints_with("src/low/bad.cpp", "#include \"high/roof.hpp\"\n").front(),
            "src/low/bad.cpp includes high/roof.hpp: the table has no arrow from low to high.");
}

TEST(RoomsCheck, FindsACycle) {
  const Sentences found = complaints_with("src/low/bad.cpp", "#include \"high/roof.hpp\"\n");
  EXPECT_EQ(std::ranges::count(found, "Cycle: high -> low -> high."), 1) << lines(found);
}

TEST(RoomsCheck, FindsAnArrowThatNobodyUses) {
  EXPECT_EQ(complaints_with("src/high/part/roof.cpp", ""),
            Sentences{"The table has an arrow from high to low that no include uses."});
}

TEST(RoomsCheck, FindsARoomThatTheTableDoesNotHave) {
  EXPECT_EQ(complaints_with("src/cellar/wine.cpp", ""),
            Sentences{"src/cellar/wine.cpp belongs to no room of the table."});
}

TEST(RoomsCheck, FindsARoomWithoutFiles) {
  Sources sources = sound;
  sources.erase("src/high/part/roof.cpp");
  const Sentences found = complaints(read_rooms(document), sources);
  EXPECT_EQ(std::ranges::count(found, "The table has the room high, which has no files."), 1) << lines(found);
}

TEST(RoomsCheck, FindsHeadersOfNoRoomAndHeadersThatAreNotThere) {
  EXPECT_EQ(complaints_with("include/kore/new.hpp", ""),
            Sentences{"include/kore/new.hpp belongs to no room of the table."});
  Sources sources = sound;
  sources.erase("include/kore/other.hpp");
  EXPECT_EQ(complaints(read_rooms(document), sources),
            Sentences{"The table gives low the header other.hpp, which does not exist."});
}

TEST(RoomsCheck, FindsAPublicHeaderThatShowsAnInternalOne) {
  EXPECT_EQ(complaints_with("include/kore/thing.hpp", "#include \"low/inner.hpp\"\n"),
            Sentences{"include/kore/thing.hpp is public and includes the internal header low/inner.hpp."});
}

TEST(RoomsCheck, KeepsTheHeaderOfAllOutOfTheRooms) {
  EXPECT_EQ(complaints_with("src/low/lazy.cpp", "#include \"kore/kore.hpp\"\n"),
            Sentences{"src/low/lazy.cpp includes kore.hpp, which knows every room."});
}

}  // namespace
}  // namespace kore::test
