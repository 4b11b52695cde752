#include "kore/class_model.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "kore/fit.hpp"
#include "support/error_of.hpp"
#include "support/made_up_rows.hpp"
#include "support/streaming_source.hpp"
#include "table/one_class.hpp"
#include "table/training.hpp"

namespace kore::table {
namespace {

using test::error_of;

/// Three classes by the size of the first feature, and a few rows of the wrong one.
test::Rows rows_of_classes(std::size_t count) {
  test::Rows rows = test::made_up_rows(count, 2, 31);
  for (std::size_t r = 0; r < count; ++r) {
    const double x = rows.at(r, 0);
    rows.y[r] = r % 9 == 0 ? static_cast<double>(r % 3) : x < 0.3 ? 0 : x < 0.7 ? 1 : 2;
  }
  return rows;
}

Preparation preparation(const test::Rows& rows) {
  Preparation prepared;
  prepared.summary.target = "kind";
  prepared.summary.rows = rows.count;
  prepared.summary.target_levels = {"low", "middle", "high"};
  for (const char* name : {"a", "b"}) {
    EncodedColumn column;
    column.name = name;
    prepared.encoding.features.push_back({name, EncodedKind::numeric, prepared.encoding.columns.size(), 0});
    prepared.encoding.columns.push_back(column);
  }
  return prepared;
}

ClassModel trained(const test::Rows& rows, const RowSource& source, std::size_t structure_rows = 5000) {
  Options options;
  options.grown().family = Family::binomial;
  options.grown().structure_rows = structure_rows;
  return train_classes(
      preparation(rows), source, options,
      {"the example", std::chrono::steady_clock::now(), [](const Message& note) { return note.sentence(); }});
}

const ClassModel& example() {
  static const ClassModel model = [] {
    const test::Rows rows = rows_of_classes(400);
    return trained(rows, rows.source());
  }();
  return model;
}

TEST(OneClass, IsYesWhereTheTargetIsItsPosition) {
  const test::Rows rows = rows_of_classes(30);
  const MemorySource memory = rows.source();
  const test::StreamingSource stream(rows);
  for (const RowSource* source :
       {static_cast<const RowSource*>(&memory), static_cast<const RowSource*>(&stream)}) {
    std::size_t seen = 0;
    OneClass(*source, 1).for_each_block([&](const RowBlock& block) {
      for (std::size_t r = 0; r < block.rows(); ++r, ++seen)
        EXPECT_EQ(block.y[r], rows.y[seen] == 1 ? 1 : 0) << seen;
    });
    EXPECT_EQ(seen, rows.count);
  }
}

TEST(ClassModels, GiveProbabilitiesThatAddUpToOneAndFindTheClasses) {
  const test::Rows fresh = rows_of_classes(900);
  const auto columns = predict_classes(example(), fresh.view());
  ASSERT_EQ(columns.size(), 3U);
  std::size_t right = 0;
  for (std::size_t r = 0; r < fresh.count; ++r) {
    EXPECT_NEAR(columns[0][r] + columns[1][r] + columns[2][r], 1, 1e-14);
    std::size_t best = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if (columns[k][r] > columns[best][r]) best = k;
    right += fresh.y[r] == static_cast<double>(best) ? 1 : 0;
  }
  EXPECT_GT(right, 780U);
}

TEST(ClassModels, AreABinomialModelOfEachClass) {
  const test::Rows rows = rows_of_classes(400);
  test::Rows middle = rows;
  for (double& y : middle.y) y = y == 1 ? 1 : 0;
  Options options;
  options.grown().family = Family::binomial;
  const Model alone = fit(middle.source(), options, {{"a", "b"}, "kind"});
  EXPECT_EQ(predict(example().models[1].model, rows.view()), predict(alone, rows.view()));
  EXPECT_EQ(example().models[1].facts.target_levels, (std::vector<std::string>{"not middle", "middle"}));
}

TEST(ClassModels, StateTheErrorsOfNewRows) {
  const test::Rows fresh = rows_of_classes(5000);
  const auto columns = predict_classes(example(), fresh.view());
  double log_loss = 0;
  for (std::size_t r = 0; r < fresh.count; ++r)
    log_loss -= std::log(columns[static_cast<std::size_t>(fresh.y[r])][r]) / static_cast<double>(fresh.count);
  const ClassAccuracy& stated = example().accuracy;
  EXPECT_EQ(stated.how, AccuracySource::folds);
  EXPECT_NEAR(stated.log_loss / log_loss, 1, 0.15);
  EXPECT_LT(stated.error_rate, 0.15);
  EXPECT_GT(stated.explained(), 0.5);
}

TEST(ClassModels, OfALongTableShareTheirPassesAndAreThoseOfMemory) {
  const test::Rows rows = rows_of_classes(1500);
  const MemorySource memory = rows.source();
  const ClassModel here = trained(rows, memory, 400);
  const test::StreamingSource stream(rows);
  const ClassModel streamed = trained(rows, stream, 400);
  const auto one = predict_classes(here, rows.view());
  const auto other = predict_classes(streamed, rows.view());
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t r = 0; r < rows.count; ++r) ASSERT_NEAR(one[k][r], other[k][r], 1e-8);
  EXPECT_EQ(streamed.accuracy.how, here.accuracy.how);
  EXPECT_NEAR(streamed.accuracy.log_loss, here.accuracy.log_loss, 1e-8);
}

TEST(ClassModels, AreTheSameInBytes) {
  const ClassModel back = class_model_from_bytes(to_bytes(example()));
  EXPECT_EQ(to_bytes(back), to_bytes(example()));
  EXPECT_TRUE(holds_classes(to_bytes(example())));
  EXPECT_FALSE(holds_classes(to_bytes(example().models[0])));
  EXPECT_FALSE(holds_classes({}));
  const test::Rows rows = rows_of_classes(50);
  EXPECT_EQ(predict_classes(back, rows.view()), predict_classes(example(), rows.view()));
}

TEST(ClassModels, HaveAModelForEachNameAndSayWhichThereAre) {
  EXPECT_EQ(to_bytes(model_of_class(example(), "high")), to_bytes(example().models[2]));
  const Error error = error_of([] { model_of_class(example(), "huge"); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_NE(std::string(error.what()).find("low, middle, high"), std::string::npos) << error.what();
}

TEST(HostileClassModels, AreRefusedByTheNameOfTheirField) {
  struct Damage {
    const char* field;
    std::function<void(ClassModel&)> damage;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Damage damages[]{
      {"classes", [](ClassModel& m) { m.classes[1] = m.classes[0]; }},
      {"classes", [](ClassModel& m) { m.classes[1] = "\xff\xfe"; }},
      {"classes", [](ClassModel& m) { m.classes.resize(1); }},
      {"classes", [](ClassModel& m) { m.classes.clear(); }},
      {"family", [](ClassModel& m) { m.models[1].model.family = "poisson"; }},
      {"target", [](ClassModel& m) { m.models[2].model.target = "other"; }},
      {"encoding", [](ClassModel& m) { m.models[1].encoding.columns[0].name = "other"; }},
      {"coupling", [](ClassModel& m) { m.coupling.yes = -1; }},
      {"coupling", [=](ClassModel& m) { m.coupling.no = nan; }},
      {"coupling", [](ClassModel& m) { m.coupling.no = 1e300; }},
      {"accuracy", [=](ClassModel& m) { m.accuracy.log_loss = nan; }},
      {"accuracy", [](ClassModel& m) { m.accuracy.how = static_cast<AccuracySource>(9); }}};
  for (const Damage& one : damages) {
    ClassModel model = example();
    one.damage(model);
    const std::vector<std::byte> bytes = to_bytes(model);
    const Error error = error_of([&] { class_model_from_bytes(bytes); });
    EXPECT_EQ(error.code(), ErrorCode::corrupt_file) << one.field;
    EXPECT_NE(std::string(error.what()).find(one.field), std::string::npos) << error.what();
  }
}

TEST(HostileClassModels, AreRefusedWhereTheyEndEarly) {
  const std::vector<std::byte> bytes = to_bytes(example());
  for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 97)
    EXPECT_EQ(error_of([&] { class_model_from_bytes(std::span(bytes).first(length)); }).code(),
              ErrorCode::corrupt_file);
}

}  // namespace
}  // namespace kore::table
