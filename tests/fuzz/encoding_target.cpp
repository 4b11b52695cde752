// How columns become features, as a model or a task holds it. What is accepted encodes rows.
#include <cmath>
#include <cstdlib>

#include "base/bytes.hpp"
#include "fuzz/uses.hpp"
#include "kore/encoder.hpp"
#include "table/encoding_bytes.hpp"

namespace kore::fuzz {
namespace {

void use(const table::Encoding& encoding) {
  constexpr std::size_t rows = 4;
  const std::vector<double> numbers{1, std::nan(""), -2, 1e300};
  const std::vector<std::vector<std::string_view>> texts = [&] {
    std::vector<std::vector<std::string_view>> all;
    for (const table::EncodedColumn& column : encoding.columns)
      all.push_back({column.levels.empty() ? "none" : std::string_view(column.levels.back()),
                     {},
                     "unseen",
                     column.rare.empty() ? "" : std::string_view(column.rare.front())});
    return all;
  }();
  std::vector<table::RawColumn> raw;
  for (std::size_t c = 0; c < encoding.columns.size(); ++c) {
    table::level_names(encoding.columns[c]);
    raw.push_back(encoding.columns[c].category ? table::RawColumn::texts(texts[c])
                                               : table::RawColumn::numbers(numbers));
  }
  std::vector<double> out(encoding.features.size() * rows);
  table::EncodeCounts counts;
  table::Encoder(encoding).encode(raw, rows, out, rows, counts);
  table::encode_warnings(encoding, counts);
  ByteWriter written;
  table::write(written, encoding);
  ByteReader again(written.bytes());
  if (!(table::read_encoding(again) == encoding)) std::abort();
}

}  // namespace

bool run_encoding(Given bytes) {
  table::Encoding encoding;
  if (!allow_refusal([&] {
        ByteReader in(bytes);
        encoding = table::read_encoding(in);
      }))
    return false;
  consume("rows encoded, and written again", [&] { use(encoding); });
  return true;
}

}  // namespace kore::fuzz
