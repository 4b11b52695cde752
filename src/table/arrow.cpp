#include "table/arrow.hpp"

#include <string>

#include "table/arrow_values.hpp"
#include "table/refusals.hpp"

namespace kore::table {
namespace {

/// A structure of the interface, released with its last owner.
template <typename Structure>
class Held {
 public:
  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (value.release != nullptr) value.release(&value);
  }
  Structure value{};
};

using HeldSchema = Held<ArrowSchema>;
using HeldArray = Held<ArrowArray>;

void check(int status, ArrowArrayStream& stream) {
  if (status == 0) return;
  const char* why = stream.get_last_error == nullptr ? nullptr : stream.get_last_error(&stream);
  refuse_data("stream_failed", "The table could not be read: {why}.",
              {{"why", why == nullptr ? "its stream failed" : why}});
}

std::vector<std::shared_ptr<const HeldArray>> read_batches(ArrowArrayStream& stream) {
  std::vector<std::shared_ptr<const HeldArray>> batches;
  for (;;) {
    const auto batch = std::make_shared<HeldArray>();
    check(stream.get_next(&stream, &batch->value), stream);
    if (batch->value.release == nullptr) return batches;
    if (batch->value.length > 0) batches.push_back(batch);
  }
}

/// A view of doubles that are in one piece and without missing values.
Column shown_in_place(const ArrowSchema& schema, const std::shared_ptr<const HeldArray>& batch,
                      const ArrowArray& child) {
  Column column;
  column.name = schema.name == nullptr ? "" : schema.name;
  column.numbers = {static_cast<const double*>(child.buffers[1]) + child.offset + batch->value.offset, 1};
  column.owner = batch;
  return column;
}

Column read_column(const ArrowSchema& schema, std::int64_t place,
                   const std::vector<std::shared_ptr<const HeldArray>>& batches) {
  if (batches.size() == 1 && ColumnReader::is_doubles(schema)) {
    const ArrowArray& only = *batches[0]->value.children[place];
    if (has_no_gaps(only)) return shown_in_place(schema, batches[0], only);
  }
  ColumnReader reader(schema);
  for (const auto& batch : batches)
    reader.append(*batch->value.children[place], batch->value.offset, batch->value.length);
  return std::move(reader).finish();
}

}  // namespace

Frame read_stream(ArrowArrayStream& given) {
  Held<ArrowArrayStream> stream;
  stream.value = given;
  given.release = nullptr;  // it is ours now
  HeldSchema schema;
  check(stream.value.get_schema(&stream.value, &schema.value), stream.value);
  if (std::string_view(schema.value.format) != "+s")
    refuse_data("stream_of_a_column", "The stream is a column, not a table.");
  const auto batches = read_batches(stream.value);
  Frame frame;
  for (const auto& batch : batches) frame.rows += static_cast<std::size_t>(batch->value.length);
  for (std::int64_t c = 0; c < schema.value.n_children; ++c)
    frame.columns.push_back(read_column(*schema.value.children[c], c, batches));
  return frame;
}

}  // namespace kore::table
