// Tables in memory as other libraries hand them over (Arrow C stream). Pointers and sizes of buffers cannot
// be checked by whoever receives them, so they are right here; everything in the buffers, the types, the
// offsets and the counts are the fuzzer's.
#include <nanoarrow/nanoarrow.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>

#include "arrow/stream.hpp"
#include "fuzz/uses.hpp"
#include "table/summarize_frame.hpp"

namespace kore::fuzz {
namespace {

/// Hands out the bytes of the input one after the other, and zeros behind its end.
class Source {
 public:
  explicit Source(Given bytes) : bytes_(bytes) {}

  std::uint8_t next() { return at_ < bytes_.size() ? static_cast<std::uint8_t>(bytes_[at_++]) : 0; }
  void fill(void* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) static_cast<std::uint8_t*>(to)[i] = next();
  }

 private:
  Given bytes_;
  std::size_t at_ = 0;
};

struct Format {
  const char* name;
  std::size_t bits;  ///< Of a value; of an offset for texts.
  bool text = false;
};
constexpr std::array<Format, 21> formats{
    {{"c", 8},        {"C", 8},        {"s", 16},      {"S", 16},   {"i", 32},       {"I", 32},
     {"l", 64},       {"L", 64},       {"e", 16},      {"f", 32},   {"g", 64},       {"b", 1},
     {"u", 32, true}, {"U", 64, true}, {"tdD", 32},    {"tdm", 64}, {"tsn:UTC", 64}, {"ttu", 64},
     {"d:9,2", 128},  {"tss:", 64},    {"z", 32, true}}};

/// One array with the memory behind it.
struct Owned {
  std::array<std::vector<std::uint8_t>, 3> memory;
  std::array<const void*, 3> buffers{};
  std::vector<ArrowArray*> children;
};

void release(ArrowArray* array) {
  auto* owned = static_cast<Owned*>(array->private_data);
  for (ArrowArray* child : owned->children) {
    if (child->release != nullptr) child->release(child);
    delete child;
  }
  if (array->dictionary != nullptr) {
    if (array->dictionary->release != nullptr) array->dictionary->release(array->dictionary);
    delete array->dictionary;
  }
  delete owned;
  array->release = nullptr;
}

ArrowArray make_array(Source& source, const Format& format, std::int64_t length, std::int64_t offset) {
  auto* owned = new Owned;
  const auto values = static_cast<std::size_t>(length + offset);
  owned->memory[0].resize((values + 7) / 8);
  source.fill(owned->memory[0].data(), owned->memory[0].size());
  const std::size_t entries = values + (format.text ? 1 : 0);
  owned->memory[1].resize((entries * format.bits + 7) / 8);
  if (format.text) {
    // Offsets that mostly rise; the texts behind them are as long as the largest one.
    std::uint64_t largest = 0;
    std::uint64_t at = 0;
    const std::size_t width = format.bits / 8;
    for (std::size_t i = 0; i < entries; ++i) {
      const std::uint8_t step = source.next();
      at = step == 255 ? ~std::uint64_t{0} : step == 254 ? 0 : at + step % 4;
      if (at < 1U << 20) largest = std::max(largest, at);
      std::memcpy(owned->memory[1].data() + i * width, &at, width);
    }
    owned->memory[2].resize(std::max<std::size_t>(largest, 1));
    source.fill(owned->memory[2].data(), owned->memory[2].size());
  } else {
    source.fill(owned->memory[1].data(), owned->memory[1].size());
  }
  const bool gaps = source.next() % 2 == 0;
  owned->buffers = {gaps ? owned->memory[0].data() : nullptr, owned->memory[1].data(),
                    owned->memory[2].data()};
  ArrowArray array{};
  array.length = length;
  array.offset = offset;
  array.null_count = gaps ? -1 : 0;
  array.n_buffers = format.text ? 3 : 2;
  array.buffers = owned->buffers.data();
  array.private_data = owned;
  array.release = release;
  return array;
}

struct Column {
  Format format;
  bool dictionary = false;
};

struct Table {
  Source source;
  std::vector<Column> columns;
  int batches = 0;
};

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  const auto& table = *static_cast<Table*>(stream->private_data);
  ArrowSchemaInit(out);
  ArrowSchemaSetTypeStruct(out, static_cast<std::int64_t>(table.columns.size()));
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    ArrowSchema* own = out->children[c];
    ArrowSchemaSetFormat(own, table.columns[c].dictionary ? "i" : table.columns[c].format.name);
    ArrowSchemaSetName(own, ("column " + std::to_string(c)).c_str());
    if (!table.columns[c].dictionary) continue;
    ArrowSchemaAllocateDictionary(own);
    ArrowSchemaInit(own->dictionary);
    ArrowSchemaSetFormat(own->dictionary, table.columns[c].format.name);
  }
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto& table = *static_cast<Table*>(stream->private_data);
  *out = {};
  if (table.batches-- <= 0) return 0;
  Source& source = table.source;
  auto* owned = new Owned;
  const std::int64_t rows = source.next() % 16;
  const std::int64_t shift = source.next() % 3;
  for (const Column& column : table.columns) {
    const std::int64_t length = rows + shift - (source.next() == 7 ? 1 : 0);
    const std::int64_t offset = source.next() % 3;
    auto* array = new ArrowArray(make_array(source, column.dictionary ? Format{"i", 32} : column.format,
                                            std::max<std::int64_t>(length, 0), offset));
    if (column.dictionary)
      array->dictionary = new ArrowArray(make_array(source, column.format, source.next() % 5, 0));
    owned->children.push_back(array);
  }
  out->length = source.next() == 9 ? -rows : rows;
  out->offset = source.next() == 9 ? -1 : shift;
  out->n_children = static_cast<std::int64_t>(owned->children.size());
  out->children = owned->children.data();
  out->n_buffers = 1;
  out->buffers = owned->buffers.data();
  out->private_data = owned;
  out->release = release;
  return 0;
}

void use(const table::Frame& frame) {
  table::summarize(frame, std::vector<bool>(frame.columns.size()), 1);
  for (const table::Column& column : frame.columns) {
    table::as_texts(column, frame.rows);
    allow_refusal([&] { table::as_numbers(column, table::ColumnType::number, frame.rows); });
  }
}

}  // namespace

bool run_arrow(Given bytes) {
  Table table{Source(bytes), {}, 0};
  table.batches = table.source.next() % 4;
  const int columns = table.source.next() % 4;
  for (int c = 0; c < columns; ++c) {
    const std::uint8_t type = table.source.next();
    table.columns.push_back({formats[type % formats.size()], type >= 192});
  }
  ArrowArrayStream stream{};
  stream.get_schema = get_schema;
  stream.get_next = get_next;
  stream.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream.release = [](ArrowArrayStream* own) { own->release = nullptr; };
  stream.private_data = &table;
  return allow_refusal([&] {
    const table::Frame frame = arrow::read_stream(stream);
    consume("summaries and texts", [&] { use(frame); });
  });
}

}  // namespace kore::fuzz
