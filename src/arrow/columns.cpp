#include "arrow/columns.hpp"

#include <nanoarrow/nanoarrow.hpp>
#include <new>

namespace kore::arrow {
namespace {

/// nanoarrow fails here for lack of memory alone.
void require(ArrowErrorCode status) {
  if (status != NANOARROW_OK) throw std::bad_alloc();
}

}  // namespace

void write_columns(const std::vector<NamedNumbers>& columns, ArrowSchema& schema, ArrowArray& array) {
  nanoarrow::UniqueSchema made_schema;
  ArrowSchemaInit(made_schema.get());
  require(ArrowSchemaSetTypeStruct(made_schema.get(), static_cast<std::int64_t>(columns.size())));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    require(ArrowSchemaSetType(made_schema->children[c], NANOARROW_TYPE_DOUBLE));
    require(ArrowSchemaSetName(made_schema->children[c], columns[c].name.c_str()));
  }
  nanoarrow::UniqueArray made;
  require(ArrowArrayInitFromSchema(made.get(), made_schema.get(), nullptr));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    ArrowArray* child = made->children[c];
    const auto bytes = static_cast<std::int64_t>(columns[c].values.size() * sizeof(double));
    require(ArrowBufferAppend(ArrowArrayBuffer(child, 1), columns[c].values.data(), bytes));
    child->length = static_cast<std::int64_t>(columns[c].values.size());
    child->null_count = 0;
  }
  made->length = columns.empty() ? 0 : static_cast<std::int64_t>(columns.front().values.size());
  made->null_count = 0;
  require(ArrowArrayFinishBuildingDefault(made.get(), nullptr));
  ArrowSchemaMove(made_schema.get(), &schema);
  ArrowArrayMove(made.get(), &array);
}

}  // namespace kore::arrow
