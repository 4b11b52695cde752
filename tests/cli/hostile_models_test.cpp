// Model files whose envelope is whole and whose content lies, as somebody might mail them: every command that
// takes a model refuses them with a sentence that names the field. (Each field is damaged in
// tests/model/hostile_bytes_test.cpp and tests/table/hostile_models_test.cpp.)
#include <functional>
#include <limits>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"
#include "kore/class_model.hpp"
#include "kore/table_model.hpp"

namespace kore {
namespace {

struct Damage {
  std::string field;
  std::function<void(Model&)> damage;
};

class HostileModels : public test::CommandTest {
 protected:
  static std::vector<Damage> damages() {
    return {{"coefficients", [](Model& m) { m.coefficients.pop_back(); }},
            {"intercept", [](Model& m) { m.intercept = std::numeric_limits<double>::quiet_NaN(); }},
            {"pairs",
             [](Model& m) {
               m.summary.pairs.push_back({0, 1000});
             }},
            {"penalty weights", [](Model& m) { m.penalty_weights.push_back({1}); }},
            {"target's name", [](Model& m) { m.target = "\xFF"; }}};
  }
  void expect_refused_by_all(const std::string& field) const {
    for (const Arguments& arguments :
         {Arguments{"info", "bad.kore"}, Arguments{"info", "bad.kore", "--json"},
          Arguments{"predict", "bad.kore", "flats.csv"}, Arguments{"explain", "bad.kore", "flats.csv"},
          Arguments{"effects", "bad.kore"}, Arguments{"effects", "bad.kore", "-o", "curves"},
          Arguments{"effects", "bad.kore", "--svg", "bad.svg"},
          Arguments{"report", "bad.kore", "-o", "bad.html"},
          Arguments{"report", "bad.kore", "flats.csv", "-o", "bad.html"},
          Arguments{"export", "bad.kore", "--to", "json"}, Arguments{"export", "bad.kore", "--to", "sql"},
          Arguments{"export", "bad.kore", "--to", "c"}, Arguments{"export", "bad.kore", "--to", "onnx"}}) {
      const auto outcome = run(arguments);
      EXPECT_EQ(outcome.status, 2) << field << " " << shown(arguments) << outcome.err;
      EXPECT_EQ(outcome.out, "") << field << " " << shown(arguments);
      EXPECT_SAYS(outcome.err, "bad.kore");
      EXPECT_SAYS(outcome.err, "inconsistent: its " + field);
    }
  }
};

TEST_F(HostileModels, AreRefusedByEveryCommand) {
  folder.write("flats.csv", test::flats_csv(120, 1));
  kore({"fit", "flats.csv", "-t", "rent", "--drop", "id", "-q", "-o", "flats.kore"});
  const table::TableModel sound = table::load_table_model(folder.path("flats.kore"));
  for (const auto& [field, damage] : damages()) {
    table::TableModel bad = sound;
    damage(bad.model);
    table::save(bad, folder.path("bad.kore"));
    expect_refused_by_all(field);
  }
  for (const char* made : {"curves", "bad.svg", "bad.html"}) EXPECT_FALSE(folder.has(made)) << made;
}

TEST_F(HostileModels, OfClassesAreRefusedByEveryCommand) {
  folder.write("flats.csv", test::flats_csv(120, 1));
  kore({"fit", "flats.csv", "-t", "city", "--features", "rent,size", "--structure", "additive", "-q", "-o",
        "towns.kore"});
  const table::ClassModel sound = table::load_class_model(folder.path("towns.kore"));
  for (const auto& [field, damage] : damages()) {
    table::ClassModel bad = sound;
    damage(bad.models.back().model);
    table::save(bad, folder.path("bad.kore"));
    expect_refused_by_all(field);
  }
}

}  // namespace
}  // namespace kore
