#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <kore/kore.hpp>
#include <random>
#include <vector>

namespace {

double target(double x1, double x2) { return x1 * x1 + std::sin(x2); }

struct Table {
  std::vector<double> x;
  std::vector<double> y;

  kore::MatrixView view() const { return kore::MatrixView::row_major(x, y.size(), 2); }
};

Table draw(std::size_t rows, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  Table table;
  for (std::size_t i = 0; i < rows; ++i) {
    const double x1 = uniform(random);
    const double x2 = uniform(random);
    table.x.insert(table.x.end(), {x1, x2});
    table.y.push_back(target(x1, x2));
  }
  return table;
}

double largest_error(const std::vector<double>& predicted, const std::vector<double>& wanted) {
  double largest = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    largest = std::max(largest, std::abs(predicted[i] - wanted[i]));
  return largest;
}

}  // namespace

int main() {
  const Table train = draw(500, 1);
  const Table fresh = draw(200, 2);
  const kore::Model model = kore::fit(train.view(), train.y);
  const std::vector<double> predicted = kore::predict(model, fresh.view());
  const double error = largest_error(predicted, fresh.y);
  std::printf("%s structure, resolution %d, largest error %.2g\n", kore::to_string(model.summary.structure),
              model.summary.resolution, error);
  if (!(error < 1e-3)) {
    std::puts("The target without noise is not reproduced.");
    return 1;
  }
  const std::filesystem::path file = "consumer.kore";
  kore::save(model, file);
  const bool same = kore::predict(kore::load_model(file), fresh.view()) == predicted;
  std::filesystem::remove(file);
  if (!same) std::puts("The model read back predicts something else.");
  return same ? 0 : 1;
}
