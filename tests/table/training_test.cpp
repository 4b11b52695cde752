#include "table/training.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/error_of.hpp"
#include "support/streaming_source.hpp"
#include "table/encode_frame.hpp"
#include "table/summarize_frame.hpp"

namespace kore::table {
namespace {

/// A curve of x, three groups, and a yes or no, with the target beside them.
struct Example {
  explicit Example(std::size_t rows) {
    std::vector<double> x;
    std::vector<double> flag;
    TextPool groups;
    for (std::size_t r = 0; r < rows; ++r) {
      x.push_back(static_cast<double>(r * 37 % rows) / static_cast<double>(rows));
      flag.push_back(static_cast<double>(r % 2));
      groups.add(r % 3 == 0 ? "a" : r % 3 == 1 ? "b" : "c");
      y.push_back(std::sin(5 * x.back()) + (r % 3 == 0 ? 1 : 0) + 0.1 * flag.back());
    }
    frame.rows = rows;
    frame.columns = {owned_numbers("x", ColumnType::number, x),
                     owned_numbers("flag", ColumnType::number, flag),
                     TextPool::finish(std::move(groups), "group")};
    summary.target = "y";
    summary.rows = rows;
    summary.columns = summarize(frame, std::vector<bool>(frame.columns.size()), 1);
  }

  Frame frame;
  std::vector<double> y;
  TableSummary summary;
};

FrontFacts plain_words() {
  return {"the example", std::chrono::steady_clock::now(),
          [](const Message& note) { return note.reason() + ": " + note.sentence(); }};
}

TEST(Training, IsTheEngineOnTheEncodedRows) {
  const Example example(120);
  const Preparation prepared = prepare(example.summary, Profile::standard);
  const EncodedFrame encoded = encode(example.frame, prepared.encoding);
  const MemorySource rows(encoded.x, example.y);
  Options options = profile_options(Profile::standard);
  complete(options, prepared);
  const TableModel model = train(prepared, rows, options, plain_words());
  Options by_hand;
  by_hand.kinds = {FeatureKind::spline, FeatureKind::linear, FeatureKind::category};
  by_hand.levels = {0, 0, 4};  // three groups, and a place for others
  EXPECT_EQ(to_bytes(model.model), to_bytes(fit(rows, by_hand, {{"x", "flag", "group"}, "y"})));
  EXPECT_EQ(model.facts.profile, "default");
  EXPECT_EQ(model.facts.structure, "auto");
  EXPECT_EQ(model.facts.origin, "the example");
  EXPECT_TRUE(model.facts.notes.empty());
}

TEST(Training, ThePaperProfileHasItsOwnEncodingAndOptions) {
  const Example example(120);
  const Preparation prepared = prepare(example.summary, profile_named("paper"));
  EXPECT_EQ(prepared.encoding, make_encoding(example.summary.columns, EncodingOptions::paper()));
  Options options = profile_options(Profile::paper);
  complete(options, prepared);
  EXPECT_TRUE(options.kinds.empty()) << "every feature is a spline there";
}

TEST(Training, NotesTellWhatTheRowsTell) {
  Example example(60);
  example.frame.columns.push_back(example.frame.columns[0]);
  example.frame.columns.back().name = "again";
  example.summary.columns = summarize(example.frame, std::vector<bool>(4), 1);
  example.summary.missing_target = 1;
  Preparation prepared = prepare(example.summary, Profile::standard);
  const EncodedFrame encoded = encode(example.frame, prepared.encoding);
  EXPECT_TRUE(prepared.notes.empty()) << "before rows were looked at";
  add_notes_on_rows(prepared, MemorySource(encoded.x, example.y));
  ASSERT_EQ(prepared.notes.size(), 2U);
  EXPECT_NE(prepared.notes[0].sentence().find("Column 'again' has the same values as column 'x'"),
            std::string::npos);
  EXPECT_EQ(prepared.notes[1].sentence(), "1 row has no value in the target 'y' and is left out.");
}

TEST(Training, RowsStayInMemoryWhereTheyFit) {
  const Preparation prepared = prepare(Example(50).summary, Profile::standard);
  const test::Rows rows = test::made_up_rows(50, 3, 1);
  const std::uint64_t bytes = 50 * (3 + 1) * sizeof(double);
  const auto kept = [&](std::uint64_t room) {
    return kept_in_memory(std::make_unique<test::StreamingSource>(rows), prepared.encoding, prepared.summary,
                          room);
  };
  EXPECT_TRUE(kept(bytes)->in_memory());
  EXPECT_FALSE(kept(bytes - 1)->in_memory());
}

TEST(Training, PairsWithoutRoomEndInMainEffectsOrInAnError) {
  Example example(60);
  example.frame.columns.resize(1);
  example.summary.columns.resize(1);
  const Preparation prepared = prepare(example.summary, Profile::standard);
  const EncodedFrame encoded = encode(example.frame, prepared.encoding);
  const MemorySource rows(encoded.x, example.y);
  Options options = profile_options(Profile::standard);
  options.structure = StructureChoice::pairwise;
  complete(options, prepared);
  FrontFacts front = plain_words();
  EXPECT_EQ(test::error_of([&] { train(prepared, rows, options, front); }).code(),
            ErrorCode::invalid_argument);
  front.why_no_pairs = [](const Message&) { return "There are no pairs."; };
  const TableModel model = train(prepared, rows, options, front);
  EXPECT_EQ(model.model.summary.structure, Structure::additive);
  EXPECT_EQ(model.facts.structure, "pairwise") << "what was asked for";
  ASSERT_EQ(model.facts.notes.size(), 1U);
  EXPECT_EQ(model.facts.notes[0], "main_effects_alone: There are no pairs. Main effects were fitted alone.");
}

TEST(Training, AMemoryLimitBoundsTheDefaultProfileAlone) {
  Options options = profile_options(Profile::standard);
  limit_memory(options, Profile::standard, 4 * 60 * 1000 * 1000);
  EXPECT_EQ(options.max_columns, 1000U);
  Options paper = profile_options(Profile::paper);
  limit_memory(paper, Profile::paper, 4 * 60 * 1000 * 1000);
  EXPECT_EQ(paper.max_columns, profile_options(Profile::paper).max_columns);
  EXPECT_EQ(paper.published().memory_budget, 60U * 1000 * 1000);
}

TEST(Training, ALimitThatLeftModelsOutIsNoted) {
  const Example example(200);
  const Preparation prepared = prepare(example.summary, Profile::standard);
  const EncodedFrame encoded = encode(example.frame, prepared.encoding);
  const MemorySource rows(encoded.x, example.y);
  Options options = profile_options(Profile::standard);
  complete(options, prepared);
  options.max_columns = 12;
  const TableModel model = train(prepared, rows, options, plain_words());
  ASSERT_EQ(model.facts.notes.size(), 1U);
  EXPECT_TRUE(model.facts.notes[0].starts_with("memory_limit_left_models_out: ")) << model.facts.notes[0];
}

}  // namespace
}  // namespace kore::table
