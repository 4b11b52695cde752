#include "fuzz/uses.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace kore::fuzz {
namespace {

/// Memory is taken once: libFuzzer looks for leaks where an execution takes some.
struct Counts {
  std::array<Use, 64> all{};
  std::size_t known = 0;
  unsigned long long finished = 0;
};

Counts& counts() {
  static Counts only;
  return only;
}

Use& use_named(std::string_view name) {
  Counts& own = counts();
  const auto end = own.all.begin() + static_cast<std::ptrdiff_t>(own.known);
  const auto found = std::find_if(own.all.begin(), end, [name](const Use& use) { return use.name == name; });
  if (found != end) return *found;
  if (own.known == own.all.size()) std::abort();  // make the array longer
  own.all[own.known].name = name;
  return own.all[own.known++];
}

}  // namespace

std::span<const Use> uses() { return std::span(counts().all).first(counts().known); }

unsigned long long finished_uses() { return counts().finished; }

void count_use(std::string_view name, bool finished) {
  Use& use = use_named(name);
  ++(finished ? use.runs : use.refused);
  if (finished) ++counts().finished;
}

}  // namespace kore::fuzz
