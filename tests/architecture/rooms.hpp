#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kore::test {

/// A row of the table "Rooms and arrows" of docs/architecture.md.
struct Room {
  std::set<std::string> headers;      ///< Of include/kore, without their ending.
  std::set<std::string> may_include;  ///< Other rooms.
  bool may_include_any = false;
};
using Rooms = std::map<std::string, Room>;

/// The table under the heading "## Rooms and arrows": `room | what it is | public headers | may include`.
Rooms read_rooms(const std::string& document);

/// A source file by its path from the root of the project, and what it says.
using Sources = std::map<std::string, std::string>;

/// Paths in `#include "..."` lines of a file, or those in `#include <...>` lines.
std::vector<std::string> quoted_includes(const std::string& text);
std::vector<std::string> angled_includes(const std::string& text);

/// What is wrong between the table and the files, one sentence each: files and headers of no room, rooms
/// without files, arrows that the table does not have, arrows that no include uses, and cycles.
std::vector<std::string> complaints(const Rooms& rooms, const Sources& sources);

}  // namespace kore::test
