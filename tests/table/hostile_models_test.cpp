// Model files of tables and of classes whose envelope is whole and whose content lies. Each is refused with a
// sentence that names the field.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "kore/class_model.hpp"
#include "report/made_up_model.hpp"
#include "support/error_of.hpp"
#include "support/family_rows.hpp"

namespace kore::table {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double beyond = std::numeric_limits<double>::infinity();

const TableModel& sound_model() {
  static const TableModel model = [] {
    TableModel made = test::made_up_model(false, 120).fitted;
    made.facts.notes = {"A note."};
    made.facts.columns = {"size", "wave"};
    made.facts.target_levels = {"no", "yes"};
    made.facts.phases = {{"reading", 1, 0.5, {{"files", 2, 0.25, {}}}}};
    return made;
  }();
  return model;
}

std::vector<Phase> phases_within_each_other(int depth) {
  std::vector<Phase> phases;
  for (int i = 0; i < depth; ++i) phases = {{"a", 1, 0, phases}};
  return phases;
}

struct Lie {
  const char* field;
  std::function<void(TableModel&)> tell;
};

TEST(HostileTableModel, IsReadWhereNothingIsWrong) {
  EXPECT_EQ(to_bytes(table_model_from_bytes(to_bytes(sound_model()))), to_bytes(sound_model()));
}

TEST(HostileTableModel, IsRefusedByTheNameOfItsFact) {
  const Lie lies[]{
      {"seconds", [](TableModel& m) { m.facts.seconds = 1e300; }},
      {"seconds", [](TableModel& m) { m.facts.seconds = -1; }},
      {"seconds", [](TableModel& m) { m.facts.seconds = not_a_number; }},
      {"profile", [](TableModel& m) { m.facts.profile = "pap\xFF"; }},
      {"origin", [](TableModel& m) { m.facts.origin = "\xC3"; }},
      {"notes", [](TableModel& m) { m.facts.notes[0] = "\xED\xA0\x80"; }},
      {"columns", [](TableModel& m) { m.facts.columns[1] = "\x80"; }},
      {"structure", [](TableModel& m) { m.facts.structure = "\xFE"; }},
      {"date format", [](TableModel& m) { m.facts.date_format = "%d\xFF"; }},
      {"levels of the target", [](TableModel& m) { m.facts.target_levels.push_back("perhaps"); }},
      {"levels of the target", [](TableModel& m) { m.facts.target_levels[0] = "\xC0\xAF"; }},
      {"exposure", [](TableModel& m) { m.facts.exposure = "\xF5"; }},
      {"offset", [](TableModel& m) { m.facts.offset = "\xF5"; }},
      {"offset", [](TableModel& m) { m.facts.offset_use = static_cast<OffsetUse>(200); }},
      {"phases", [](TableModel& m) { m.facts.phases[0].seconds = -1; }},
      {"phases", [](TableModel& m) { m.facts.phases[0].parts[0].seconds = beyond; }},
      {"phases", [](TableModel& m) { m.facts.phases[0].name = "\xFF"; }},
      {"phases", [](TableModel& m) { m.facts.phases = phases_within_each_other(10'000); }},
      {"encoding", [](TableModel& m) { m.encoding.features.pop_back(); }},
      {"encoding", [](TableModel& m) { m.encoding.columns[0].median = not_a_number; }},
      {"encoding", [](TableModel& m) { m.encoding.columns[0].name = "\xFF"; }},
      {"encoding", [](TableModel& m) { m.encoding.features[0].column = 99; }},
      {"encoding", [](TableModel& m) { m.encoding.columns.back().levels.push_back("Aachen"); }},
  };
  for (const auto& [field, tell] : lies) {
    TableModel model = sound_model();
    tell(model);
    const Error error = test::error_of([&] { table_model_from_bytes(to_bytes(model)); });
    EXPECT_EQ(error.code(), ErrorCode::corrupt_file) << field;
    EXPECT_SAYS(error, field);
  }
}

ClassModel sound_classes() {
  const test::Rows rows = test::family_rows("binomial", 150, 3);
  Encoding encoding;
  for (const char* name : {"a", "b", "c"}) {
    EncodedColumn column;
    column.name = name;
    encoding.features.push_back({name, EncodedKind::numeric, encoding.columns.size(), 0});
    encoding.columns.push_back(column);
  }
  const TableModel one{
      fit(rows.source(), test::family_options("binomial"), {{"a", "b", "c"}, "y"}), encoding, {}};
  return {{"low", "high"}, {one, one}, {1, 0}, {}};
}

TEST(HostileClassModel, IsRefusedByTheNameOfItsField) {
  struct ClassLie {
    const char* field;
    std::function<void(ClassModel&)> tell;
  };
  const ClassLie lies[]{
      {"classes",
       [](ClassModel& m) {
         m.classes = {"low", "low"};
       }},
      {"classes", [](ClassModel& m) { m.classes[1] = "\xFF"; }},
      {"classes",
       [](ClassModel& m) {
         m.classes.pop_back();
         m.models.pop_back();
       }},
      {"classes",
       [](ClassModel& m) {
         m.classes.clear();
         m.models.clear();
       }},
      {"target", [](ClassModel& m) { m.models[1].model.target = "z"; }},
      {"encoding", [](ClassModel& m) { m.models[1].encoding.columns[0].name = "z"; }},
      {"coupling", [](ClassModel& m) { m.coupling.yes = -1; }},
      {"coupling", [](ClassModel& m) { m.coupling.no = not_a_number; }},
      {"coupling", [](ClassModel& m) { m.coupling.no = 1e300; }},
      {"accuracy", [](ClassModel& m) { m.accuracy.how = static_cast<AccuracySource>(9); }},
      {"accuracy", [](ClassModel& m) { m.accuracy.log_loss = beyond; }},
      {"accuracy", [](ClassModel& m) { m.accuracy.error_rate = -0.5; }},
  };
  const ClassModel sound = sound_classes();
  EXPECT_EQ(to_bytes(class_model_from_bytes(to_bytes(sound))), to_bytes(sound));
  for (const auto& [field, tell] : lies) {
    ClassModel model = sound;
    tell(model);
    const Error error = test::error_of([&] { class_model_from_bytes(to_bytes(model)); });
    EXPECT_EQ(error.code(), ErrorCode::corrupt_file) << field;
    EXPECT_SAYS(error, field);
  }
}

}  // namespace
}  // namespace kore::table
