#include "solve/equation_bytes.hpp"

#include <algorithm>
#include <functional>

#include "base/finite.hpp"
#include "kore/error.hpp"

namespace kore {
namespace {

[[noreturn]] void wrong_size() {
  throw Error(ErrorCode::corrupt_file, "equations_of_another_design",
              "The KORE equations belong to another design.");
}

}  // namespace

void write(ByteWriter& out, std::span<const TermMap> maps) {
  for (const TermMap& map : maps)
    for (const CoordinateMap& coordinate : map) out.f64s(coordinate.means);
}

std::vector<TermMap> read_term_maps(ByteReader& in, const Design& design) {
  std::vector<TermMap> maps(design.terms().size());
  for (std::size_t t = 0; t < maps.size(); ++t)
    for (std::size_t c = 0; c < design.terms()[t].order(); ++c) {
      CoordinateMap map = coordinate_map(design, t, c);
      map.means = in.f64s();
      if (map.means.size() != (design.has_intercept() ? map.columns : 0) || !all_finite(map.means))
        wrong_size();
      maps[t].push_back(std::move(map));
    }
  return maps;
}

void write_triangle(ByteWriter& out, std::span<const double> matrix, std::size_t size) {
  out.u64(size);
  for (std::size_t j = 0; j < size; ++j) out.f64s(matrix.subspan(j * size + j, size - j));
}

void add_triangle(ByteReader& in, std::span<double> matrix, std::size_t size) {
  if (in.u64() != size) wrong_size();
  for (std::size_t j = 0; j < size; ++j) {
    const std::vector<double> column = in.f64s();
    if (column.size() != size - j) wrong_size();
    double* to = matrix.data() + j * size + j;
    std::transform(column.begin(), column.end(), to, to, std::plus<>());
  }
}

std::vector<double> read_triangle(ByteReader& in, std::size_t size) {
  // A damaged design may claim any size; the number of bytes bounds it.
  const std::size_t numbers = in.remaining() / sizeof(double);
  if (size > numbers || size * (size + 1) / 2 > numbers) wrong_size();
  std::vector<double> matrix(size * size);
  add_triangle(in, matrix, size);
  return matrix;
}

}  // namespace kore
