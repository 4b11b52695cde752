// Writes the page of figures with every study on it, from made-up results: made_up_page FILE.
#include <cstdio>
#include <fstream>

#include "experiments/figures/page.hpp"
#include "figures/made_up_results.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: made_up_page FILE\n");
    return 2;
  }
  using namespace kore::experiments;
  std::ofstream file(arguments[1]);
  file << kore::report::to_html(figures_page(made_up_reports(), solved_example(1)));
  return file.flush() ? 0 : 1;
}
