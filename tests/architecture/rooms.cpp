#include "architecture/rooms.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>

namespace kore::test {
namespace {

std::string trimmed(const std::string& text) {
  constexpr const char* around = " \t`";
  const std::size_t first = text.find_first_not_of(around);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(around) - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(trimmed(part));
  return parts;
}

std::set<std::string> names_in(const std::string& cell) {
  std::set<std::string> names;
  for (const std::string& name : split(cell, ','))
    if (!name.empty()) names.insert(name);
  return names;
}

std::vector<std::string> includes(const std::string& text, char opening, char closing) {
  std::vector<std::string> found;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    line = trimmed(line);
    if (line.empty() || line.front() != '#') continue;
    const std::string directive = trimmed(line.substr(1));
    if (!directive.starts_with("include")) continue;
    const std::size_t first = directive.find(opening);
    const std::size_t last = directive.find(closing, first + 1);
    if (first != std::string::npos && last != std::string::npos)
      found.push_back(directive.substr(first + 1, last - first - 1));
  }
  return found;
}

/// "src/solve/blas.cpp" -> {"src", "solve", "blas.cpp"}
std::vector<std::string> steps_of(const std::string& path) { return split(path, '/'); }

/// The header that includes all others belongs to no room.
constexpr const char* header_of_all = "kore.hpp";

class Checker {
 public:
  explicit Checker(const Rooms& rooms) : rooms_(rooms) {
    for (const auto& [name, room] : rooms)
      for (const std::string& header : room.headers) {
        const auto [known, added] = owner_.emplace(header + ".hpp", name);
        if (!added)
          say("The header " + header + ".hpp belongs to " + known->second + " and to " + name + ".");
      }
  }

  std::vector<std::string> run(const Sources& sources) {
    for (const auto& [path, text] : sources) read(path, text);
    for (const auto& [header, room] : owner_)
      if (!sources.contains("include/kore/" + header))
        say("The table gives " + room + " the header " + header + ", which does not exist.");
    for (const auto& [name, room] : rooms_) check_room(name, room);
    check_cycles();
    return std::move(said_);
  }

 private:
  void say(std::string sentence) { said_.push_back(std::move(sentence)); }

  std::optional<std::string> room_of_header(const std::string& header) const {
    const auto found = owner_.find(header);
    return found == owner_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Of a file by its path from the root.
  std::optional<std::string> room_of_file(const std::vector<std::string>& steps) const {
    if (steps[0] == "include") return room_of_header(steps.back());
    const std::string& name = steps[0] == "src" || steps[0] == "python" ? steps[1] : steps[0];
    return rooms_.contains(name) ? std::optional(name) : std::nullopt;
  }

  /// Of an include, which is relative to include/, src/ or the root.
  std::optional<std::string> room_of_include(const std::vector<std::string>& steps) const {
    if (steps[0] == "kore") return room_of_header(steps.back());
    return rooms_.contains(steps[0]) ? std::optional(steps[0]) : std::nullopt;
  }

  void read(const std::string& path, const std::string& text) {
    const std::vector<std::string> steps = steps_of(path);
    const bool is_public = steps[0] == "include";
    if (is_public && steps.back() == header_of_all) return;
    const auto from = room_of_file(steps);
    if (!from) return say(path + " belongs to no room of the table.");
    seen_.insert(*from);
    for (const std::string& included : quoted_includes(text)) {
      const std::vector<std::string> target = steps_of(included);
      if (is_public && target[0] != "kore")
        say(path + " is public and includes the internal header " + included + ".");
      if (target.back() == header_of_all && target.size() == 2) {
        if (!rooms_.at(*from).may_include_any) say(path + " includes kore.hpp, which knows every room.");
        continue;
      }
      const auto to = room_of_include(target);
      if (!to)
        say(path + " includes " + included + ", which belongs to no room of the table.");
      else if (*to != *from)
        follow(*from, *to, path, included);
    }
  }

  void follow(const std::string& from, const std::string& to, const std::string& path,
              const std::string& included) {
    const Room& room = rooms_.at(from);
    used_[from].insert(to);
    if (!room.may_include_any && !room.may_include.contains(to))
      say(path + " includes " + included + ": the table has no arrow from " + from + " to " + to + ".");
  }

  void check_room(const std::string& name, const Room& room) {
    if (!seen_.contains(name)) say("The table has the room " + name + ", which has no files.");
    for (const std::string& to : room.may_include)
      if (!rooms_.contains(to))
        say("The table has an arrow from " + name + " to " + to + ", which is no room.");
      else if (!used_[name].contains(to))
        say("The table has an arrow from " + name + " to " + to + " that no include uses.");
  }

  // Depth first; a room that is met again on the way closes a cycle.
  void check_cycles() {
    std::set<std::string> done;
    std::vector<std::string> way;
    const std::function<void(const std::string&)> visit = [&](const std::string& room) {
      if (const auto again = std::ranges::find(way, room); again != way.end()) {
        std::string cycle;
        for (auto step = again; step != way.end(); ++step) cycle += *step + " -> ";
        return say("Cycle: " + cycle + room + ".");
      }
      if (done.contains(room)) return;
      way.push_back(room);
      for (const std::string& next : used_[room]) visit(next);
      way.pop_back();
      done.insert(room);
    };
    for (const auto& [name, room] : rooms_) visit(name);
  }

  const Rooms& rooms_;
  std::map<std::string, std::string> owner_;
  std::set<std::string> seen_;
  std::map<std::string, std::set<std::string>> used_;
  std::vector<std::string> said_;
};

}  // namespace

Rooms read_rooms(const std::string& document) {
  Rooms rooms;
  std::istringstream in(document.substr(std::min(document.find("## Rooms and arrows"), document.size())));
  bool below_head = false;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() != '|') {
      if (below_head) break;
      continue;
    }
    const std::vector<std::string> cells = split(line, '|');  // the first is empty
    if (below_head && cells.size() >= 4) {
      Room& room = rooms[cells[1]];
      room.headers = names_in(cells[3]);
      if (cells.size() > 4) room.may_include = names_in(cells[4]);
      room.may_include_any = room.may_include.erase("any") > 0;
    }
    below_head = below_head || line.starts_with("|--") || line.starts_with("| --");
  }
  return rooms;
}

std::vector<std::string> quoted_includes(const std::string& text) { return includes(text, '"', '"'); }
std::vector<std::string> angled_includes(const std::string& text) { return includes(text, '<', '>'); }

std::vector<std::string> complaints(const Rooms& rooms, const Sources& sources) {
  return Checker(rooms).run(sources);
}

}  // namespace kore::test
