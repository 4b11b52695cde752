// Model files of tables whose envelope is whole and whose content lies. Each is refused with a
// sentence that names the field.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "kore/table_model.hpp"
#include "report/made_up_model.hpp"
#include "support/error_of.hpp"

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
    made.facts.words = {{"balcony", "no", "yes"}};
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
      {"phases", [](TableModel& m) { m.facts.phases = phases_within_each_other(200); }},
      {"words of booleans", [](TableModel& m) { m.facts.words[0].column = "\xFF"; }},
      {"words of booleans", [](TableModel& m) { m.facts.words[0].no = "\xC3"; }},
      {"words of booleans", [](TableModel& m) { m.facts.words[0].yes = "\x80"; }},
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

}  // namespace
}  // namespace kore::table
