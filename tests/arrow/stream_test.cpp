#include "arrow/stream.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nanoarrow/nanoarrow.hpp>
#include <utility>

#include "support/error_of.hpp"

namespace kore::arrow {
namespace {

using Fill = std::function<void(ArrowArray&)>;
using nanoarrow::UniqueArray;
using nanoarrow::UniqueArrayStream;
using nanoarrow::UniqueSchema;

void must(int status) { ASSERT_EQ(status, NANOARROW_OK); }

/// A table of one column in the making.
class OneColumn {
 public:
  explicit OneColumn(ArrowType type)
      : OneColumn([type](ArrowSchema* child) { return ArrowSchemaSetType(child, type); }) {}
  explicit OneColumn(const std::function<int(ArrowSchema*)>& set_type) {
    ArrowSchemaInit(schema_.get());
    must(ArrowSchemaSetTypeStruct(schema_.get(), 1));
    must(set_type(schema_->children[0]));
    must(ArrowSchemaSetName(schema_->children[0], "c"));
  }

  ArrowSchema& schema() { return *schema_->children[0]; }

  UniqueArray batch(std::int64_t rows, const Fill& fill) {
    UniqueArray array;
    must(ArrowArrayInitFromSchema(array.get(), schema_.get(), nullptr));
    must(ArrowArrayStartAppending(array.get()));
    fill(*array->children[0]);
    array->length = rows;
    must(ArrowArrayFinishBuildingDefault(array.get(), nullptr));
    return array;
  }

  table::Frame read(std::vector<UniqueArray> batches) {
    UniqueArrayStream stream;
    must(ArrowBasicArrayStreamInit(stream.get(), schema_.get(), static_cast<std::int64_t>(batches.size())));
    for (std::size_t b = 0; b < batches.size(); ++b)
      ArrowBasicArrayStreamSetArray(stream.get(), static_cast<std::int64_t>(b), batches[b].get());
    return read_stream(*stream.get());
  }

  table::Frame read(UniqueArray batch) {
    std::vector<UniqueArray> batches;
    batches.push_back(std::move(batch));
    return read(std::move(batches));
  }

 private:
  UniqueSchema schema_;
};

Fill doubles(std::vector<double> values) {
  return [values = std::move(values)](ArrowArray& array) {
    for (const double value : values) must(ArrowArrayAppendDouble(&array, value));
  };
}

Fill integers(std::vector<std::int64_t> values) {
  return [values = std::move(values)](ArrowArray& array) {
    for (const std::int64_t value : values) must(ArrowArrayAppendInt(&array, value));
  };
}

TEST(ArrowStream, DoublesInOnePieceAreNotCopied) {
  OneColumn table(NANOARROW_TYPE_DOUBLE);
  UniqueArray batch = table.batch(3, doubles({1, 2, 3}));
  const auto* memory = static_cast<const double*>(batch->children[0]->buffers[1]);
  batch->offset = 1;
  batch->length = 2;
  const table::Frame frame = table.read(std::move(batch));
  ASSERT_EQ(frame.rows, 2U);
  EXPECT_EQ(frame.columns[0].name, "c");
  EXPECT_EQ(frame.columns[0].numbers.data, memory + 1);
  EXPECT_EQ(frame.columns[0].numbers[1], 3);
}

TEST(ArrowStream, PiecesAndGapsAreJoined) {
  OneColumn table(NANOARROW_TYPE_INT16);
  std::vector<UniqueArray> batches;
  batches.push_back(table.batch(2, [](ArrowArray& array) {
    must(ArrowArrayAppendInt(&array, -7));
    must(ArrowArrayAppendNull(&array, 1));
  }));
  batches.push_back(table.batch(0, [](ArrowArray&) {}));
  batches.push_back(table.batch(1, integers({9})));
  const table::Frame frame = table.read(std::move(batches));
  ASSERT_EQ(frame.rows, 3U);
  const ColumnView numbers = frame.columns[0].numbers;
  EXPECT_EQ(numbers[0], -7);
  EXPECT_TRUE(std::isnan(numbers[1]));
  EXPECT_EQ(numbers[2], 9);
}

TEST(ArrowStream, TextsOfEveryKindAreRead) {
  for (const ArrowType type :
       {NANOARROW_TYPE_STRING, NANOARROW_TYPE_LARGE_STRING, NANOARROW_TYPE_STRING_VIEW}) {
    OneColumn table(type);
    const table::Frame frame = table.read(table.batch(3, [](ArrowArray& array) {
      must(ArrowArrayAppendString(&array, ArrowCharView("a")));
      must(ArrowArrayAppendNull(&array, 1));
      must(ArrowArrayAppendString(&array, ArrowCharView("longer than twelve letters")));
    }));
    const table::Column& column = frame.columns[0];
    ASSERT_TRUE(column.is_text());
    EXPECT_EQ(column.dictionary[static_cast<std::size_t>(column.codes[0])], "a");
    EXPECT_LT(column.codes[1], 0);
    EXPECT_EQ(column.dictionary[static_cast<std::size_t>(column.codes[2])], "longer than twelve letters");
    EXPECT_FALSE(column.declared_category);
  }
}

TEST(ArrowStream, TimesAreDays) {
  OneColumn dates(NANOARROW_TYPE_DATE32);
  const table::Frame days = dates.read(dates.batch(1, integers({19000})));
  EXPECT_EQ(days.columns[0].type, table::ColumnType::date);
  EXPECT_EQ(days.columns[0].numbers[0], 19000);
  OneColumn stamps([](ArrowSchema* schema) {
    return ArrowSchemaSetTypeDateTime(schema, NANOARROW_TYPE_TIMESTAMP, NANOARROW_TIME_UNIT_MICRO, "UTC");
  });
  const table::Frame times = stamps.read(stamps.batch(1, integers({129'600'000'000})));
  EXPECT_EQ(times.columns[0].type, table::ColumnType::timestamp);
  EXPECT_EQ(times.columns[0].numbers[0], 1.5);
  OneColumn milliseconds(NANOARROW_TYPE_DATE64);
  EXPECT_EQ(milliseconds.read(milliseconds.batch(1, integers({172'800'000}))).columns[0].numbers[0], 2);
}

TEST(ArrowStream, DecimalsOfEveryWidthAreNumbers) {
  for (const auto& [type, width] :
       {std::pair(NANOARROW_TYPE_DECIMAL32, 32), std::pair(NANOARROW_TYPE_DECIMAL64, 64),
        std::pair(NANOARROW_TYPE_DECIMAL128, 128)}) {
    OneColumn table(
        [type = type](ArrowSchema* schema) { return ArrowSchemaSetTypeDecimal(schema, type, 9, 2); });
    const table::Frame frame = table.read(table.batch(2, [width = width](ArrowArray& array) {
      ArrowDecimal decimal{};
      ArrowDecimalInit(&decimal, width, 9, 2);
      for (const std::int64_t value : {12345, -50}) {
        ArrowDecimalSetInt(&decimal, value);
        must(ArrowArrayAppendDecimal(&array, &decimal));
      }
    }));
    EXPECT_EQ(frame.columns[0].numbers[0], 123.45) << width;
    EXPECT_EQ(frame.columns[0].numbers[1], -0.5) << width;
  }
}

/// Places in a dictionary of two words, the second of which is missing.
UniqueArray coded(OneColumn& table, std::vector<std::int64_t> places) {
  return table.batch(static_cast<std::int64_t>(places.size()), [&places](ArrowArray& array) {
    integers(places)(array);
    must(ArrowArrayAppendString(array.dictionary, ArrowCharView("word")));
    must(ArrowArrayAppendNull(array.dictionary, 1));
  });
}

OneColumn column_of_codes() {
  return OneColumn([](ArrowSchema* schema) {
    const int status = ArrowSchemaSetType(schema, NANOARROW_TYPE_INT8);
    if (status != NANOARROW_OK) return status;
    const int allocated = ArrowSchemaAllocateDictionary(schema);
    if (allocated != NANOARROW_OK) return allocated;
    return ArrowSchemaInitFromType(schema->dictionary, NANOARROW_TYPE_STRING);
  });
}

TEST(ArrowStream, DictionariesAreCategories) {
  OneColumn table = column_of_codes();
  const table::Frame frame = table.read(coded(table, {1, 0, 0}));
  const table::Column& column = frame.columns[0];
  EXPECT_TRUE(column.declared_category);
  EXPECT_LT(column.codes[0], 0);
  EXPECT_EQ(column.dictionary[static_cast<std::size_t>(column.codes[2])], "word");
}

TEST(ArrowStream, RefusesACodeThatIsNotInTheDictionary) {
  OneColumn table = column_of_codes();
  const Error error = test::error_of([&] { table.read(coded(table, {0, 2})); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_data);
  EXPECT_SAYS(error, "Column 'c' has a code that is not in its dictionary.");
}

TEST(ArrowStream, AColumnWithoutATypeIsAllMissing) {
  OneColumn table(NANOARROW_TYPE_NA);
  const table::Frame frame =
      table.read(table.batch(2, [](ArrowArray& array) { must(ArrowArrayAppendNull(&array, 2)); }));
  EXPECT_TRUE(std::isnan(frame.columns[0].numbers[1]));
}

TEST(ArrowStream, RefusesTypesThatNoModelCanUse) {
  OneColumn table(NANOARROW_TYPE_BINARY);
  const Error error = test::error_of([&] { table.read(table.batch(0, [](ArrowArray&) {})); });
  EXPECT_SAYS(error, "neither numbers, times nor texts (Arrow format 'z')");
}

TEST(ArrowStream, RefusesArraysThatContradictTheirType) {
  OneColumn table(NANOARROW_TYPE_STRING);
  UniqueArray batch = table.batch(2, [](ArrowArray& array) {
    must(ArrowArrayAppendString(&array, ArrowCharView("one")));
    must(ArrowArrayAppendString(&array, ArrowCharView("two")));
  });
  // The second text would end before it begins.
  static_cast<std::int32_t*>(const_cast<void*>(batch->children[0]->buffers[1]))[1] = 7;
  const Error error = test::error_of([&] { table.read(std::move(batch)); });
  EXPECT_EQ(error.reason(), "damaged_arrow_column");
  EXPECT_EQ(error.code(), ErrorCode::invalid_data);
}

TEST(ArrowStream, AStreamThatFailsIsRefusedWithWhatItSays) {
  ArrowArrayStream stream{};
  stream.get_schema = [](ArrowArrayStream*, ArrowSchema*) { return EINVAL; };
  stream.release = [](ArrowArrayStream* ended) { ended->release = nullptr; };
  ArrowArrayStream silent = stream;
  EXPECT_SAYS(test::error_of([&] { read_stream(silent); }),
              "The table could not be read: its stream failed.");
  EXPECT_EQ(silent.release, nullptr);
  stream.get_last_error = [](ArrowArrayStream*) { return "the cable is out"; };
  EXPECT_SAYS(test::error_of([&] { read_stream(stream); }), "The table could not be read: the cable is out.");
}

}  // namespace
}  // namespace kore::arrow
