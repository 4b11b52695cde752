// Whether the models' statements about themselves are true: kore_honesty DATA [-o PAGE] [--part ...] [--sets
// ...]
// [--draws N] [--threads N] [--cells FOLDER] [--gamsim FOLDER]. Run by `make honesty`.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <utility>

#include "experiments/honesty/gamsim.hpp"
#include "experiments/honesty/parts.hpp"
#include "experiments/table.hpp"

namespace kore::experiments::honesty {
namespace {

const std::vector<std::pair<std::string, std::function<Section(const Settings&)>>> parts{
    {"noise", noise_part}, {"tables", tables_part},   {"stacked", stacked_part},
    {"bands", bands_part}, {"outside", outside_part}, {"gamsim", gamsim_part}};

void run(const Settings& settings, const std::string& page_file) {
  std::vector<Section> sections;
  for (const auto& [name, part] : parts)
    if (settings.asks_for_part(name)) sections.push_back(part(settings));
  const std::string page = page_of(sections);
  std::fputs(page.c_str(), stdout);
  if (!page_file.empty()) write_text(page_file, page);
}

}  // namespace
}  // namespace kore::experiments::honesty

int main(int count, char** arguments) {
  using namespace kore::experiments::honesty;
  Settings settings;
  std::string page_file;
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.first);
  CLI::App app{"Compares what models state about themselves with rows that they have not seen."};
  app.add_option("data", settings.data, "The folder of the tables")->required();
  app.add_option("-o,--output", page_file, "Where to write the page");
  app.add_option("--part", settings.parts, "Only these parts")->delimiter(',')->check(CLI::IsMember(names));
  app.add_option("--sets", settings.sets, "Only these tables, or sizes of noise, such as '60 x 10'")
      ->delimiter(',');
  app.add_option("--draws", settings.draws, "At most so many repeats of each cell");
  app.add_option("--threads", settings.threads, "Cells that run at the same time")->check(CLI::Range(1, 256));
  auto* gamsim =
      app.add_option("--gamsim", settings.gamsim, "A folder with the examples of mgcv and its errors");
  bool only_make_gamsim = false;
  app.add_flag("--make-gamsim", only_make_gamsim, "Write those examples and do nothing else")->needs(gamsim);
  app.add_option("--cells", settings.output, "A folder for the results of single cells");
  CLI11_PARSE(app, count, arguments);
  try {
    if (only_make_gamsim)
      write_gamsim(settings);
    else
      run(settings, page_file);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kore_honesty: %s\n", error.what());
    return 1;
  }
}
