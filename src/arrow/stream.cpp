#include "arrow/stream.hpp"

#include <limits>
#include <nanoarrow/nanoarrow.hpp>
#include <string>

#include "arrow/column_reader.hpp"
#include "table/refusals.hpp"

namespace kore::arrow {
namespace {

using Batch = std::shared_ptr<const nanoarrow::UniqueArray>;

constexpr std::int64_t most_rows = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void refuse_stream(std::string_view why) {
  table::refuse_data("stream_failed", "The table could not be read: {why}.", {{"why", why}});
}

void check(int status, ArrowArrayStream* stream) {
  if (status == NANOARROW_OK) return;
  const char* why = stream->get_last_error == nullptr ? nullptr : stream->get_last_error(stream);
  refuse_stream(why == nullptr ? "its stream failed" : why);
}

std::vector<Batch> read_batches(ArrowArrayStream* stream, std::int64_t columns) {
  std::vector<Batch> batches;
  for (;;) {
    nanoarrow::UniqueArray batch;
    check(stream->get_next(stream, batch.get()), stream);
    if (batch->release == nullptr) return batches;
    if (batch->n_children != columns) refuse_stream("a part of it has other columns");
    if (batch->length < 0 || batch->offset < 0 || batch->offset > most_rows - batch->length)
      refuse_stream("a part of it has a number of rows that cannot be");
    if (batch->length > 0)
      batches.push_back(std::make_shared<const nanoarrow::UniqueArray>(std::move(batch)));
  }
}

/// A column of one batch, checked against its type and the number of rows.
nanoarrow::UniqueArrayView view_of(const ArrowSchema& schema, const ArrowArray& batch, std::int64_t place) {
  const ArrowArray* array = batch.children[place];
  nanoarrow::UniqueArrayView view;
  ArrowError error{};
  const bool sound =
      ArrowArrayViewInitFromSchema(view.get(), &schema, &error) == NANOARROW_OK &&
      ArrowArrayViewSetArray(view.get(), array, &error) == NANOARROW_OK &&
      ArrowArrayViewValidate(view.get(), NANOARROW_VALIDATION_LEVEL_FULL, &error) == NANOARROW_OK;
  if (!sound || array->length < batch.offset + batch.length)
    table::refuse_data("damaged_arrow_column", "Column '{column}' does not hold what its type says ({why}).",
                       {{"column", name_of(schema)}, {"why", sound ? "it has too few rows" : error.message}});
  return view;
}

/// A view of doubles that are in one piece and without missing values.
table::Column shown_in_place(const ArrowSchema& schema, const Batch& batch, const ArrowArrayView& view) {
  table::Column column;
  column.name = name_of(schema);
  column.numbers = {view.buffer_views[1].data.as_double + view.offset + (*batch)->offset, 1};
  column.owner = batch;
  return column;
}

bool has_no_gaps(const ArrowArrayView& view) {
  return view.null_count == 0 || view.buffer_views[0].data.data == nullptr;
}

table::Column read_column(const ArrowSchema& schema, std::int64_t place, const std::vector<Batch>& batches) {
  ColumnReader reader(schema);
  if (reader.has_values()) {
    for (const Batch& batch : batches) {
      const ArrowArray& array = *batch->get();
      const nanoarrow::UniqueArrayView view = view_of(schema, array, place);
      if (batches.size() == 1 && reader.is_doubles() && has_no_gaps(*view.get()))
        return shown_in_place(schema, batch, *view.get());
      reader.append(*view.get(), array.offset, array.length);
    }
  } else {
    for (const Batch& batch : batches) reader.append_missing((*batch)->length);
  }
  return std::move(reader).finish();
}

}  // namespace

table::Frame read_stream(ArrowArrayStream& given) {
  nanoarrow::UniqueArrayStream stream(&given);  // it is ours now
  if (stream->release == nullptr) refuse_stream("its stream was released before");
  nanoarrow::UniqueSchema schema;
  check(stream->get_schema(stream.get(), schema.get()), stream.get());
  if (schema->format == nullptr || std::string_view(schema->format) != "+s" || schema->n_children < 0)
    table::refuse_data("stream_of_a_column", "The stream is a column, not a table.");
  const std::vector<Batch> batches = read_batches(stream.get(), schema->n_children);
  table::Frame frame;
  for (const Batch& batch : batches) frame.rows += static_cast<std::size_t>((*batch)->length);
  for (std::int64_t c = 0; c < schema->n_children; ++c)
    frame.columns.push_back(read_column(*schema->children[c], c, batches));
  return frame;
}

}  // namespace kore::arrow
