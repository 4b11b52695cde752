// Writes the files that fuzzers start from. Usage: fuzz_seeds FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fuzz/seeds.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: fuzz_seeds FOLDER\n", stderr);
    return 2;
  }
  for (const auto& [target, seeds] : kore::fuzz::make_seeds()) {
    const std::filesystem::path folder = std::filesystem::path(arguments[1]) / target;
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      std::ofstream file(folder / ("seed-" + std::to_string(i)), std::ios::binary);
      file.write(reinterpret_cast<const char*>(seeds[i].data()),
                 static_cast<std::streamsize>(seeds[i].size()));
      if (!file) return 1;
    }
  }
  return 0;
}
