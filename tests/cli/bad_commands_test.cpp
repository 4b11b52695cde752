// Several hundred commands that cannot be carried out. Each ends with status 2 and one sentence, which names
// what was wrong: the option and its value, the column, the file. None writes anything.
#include <sys/stat.h>

#include "cli/run_command.hpp"
#include "cli/tables.hpp"

namespace kore {
namespace {

/// A command, and what its sentence must contain.
struct BadCommand {
  std::vector<std::string> arguments;
  std::vector<std::string> named;
};

class BadCommands : public test::CommandTest {
 protected:
  void SetUp() override {
    folder.write("flats.csv", test::flats_csv(120, 1));
    folder.write("text.txt", "a,b\n1,2\n");
    folder.write("empty.csv", "");
    folder.write("header.csv", "a,b\n");
    folder.write("numbers.csv", "1,2\n3,4\n5,6\n");
    folder.write("ragged.csv", "a,b\n1,2\n3,4,5\n6,7\n");
    folder.write("twice.csv", "a,a,b\n1,2,3\n4,5,6\n");
    folder.write("broken.json", "{\"a\": 1, ");
    folder.write("broken.parquet", "PAR1 and nothing else");
    folder.write("page.html", "<html></html>");
    std::filesystem::create_directory(folder.path("folder"));
    kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "-q", "-o", "flats.kore"});
  }

  void expect_refused(const BadCommand& command) {
    SCOPED_TRACE(shown(command.arguments));
    ++tried_;
    const auto before = folder.names();
    const auto outcome = run(command.arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(folder.names(), before) << "something was written";
    EXPECT_EQ(outcome.err.rfind("kore: ", 0), 0U) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << "one line: " << outcome.err;
    for (const std::string& part : command.named) EXPECT_SAYS(outcome.err, part);
  }
  void expect_all_refused(const std::vector<BadCommand>& commands) {
    for (const BadCommand& command : commands) expect_refused(command);
  }

  /// A command that would go well without the option.
  static Arguments with(const std::string& command, const std::string& option, const std::string& value) {
    Arguments arguments{command};
    if (command == "fit" || command == "diagnose" || command == "compare")
      arguments.insert(arguments.end(), {"flats.csv", "-t", "rent", "--drop", "id"});
    if (command == "effects" || command == "info" || command == "report" || command == "predict")
      arguments.emplace_back("flats.kore");
    if (command == "predict") arguments.emplace_back("flats.csv");
    if (command == "example") arguments.emplace_back("franke");
    arguments.push_back(option + "=" + value);
    return arguments;
  }
  int tried() const { return tried_; }
  void TearDown() override { RecordProperty("tried", tried_); }

 private:
  int tried_ = 0;
};

TEST_F(BadCommands, NumbersOutOfRangeAreNamedWithTheirOption) {
  struct Option {
    std::vector<std::string> commands;
    std::string name;
    std::vector<std::string> values;
  };
  const std::vector<std::string> training{"fit", "diagnose", "compare"};
  const Option options[]{
      {training, "--degree", {"0", "8", "-1", "three", "1.5", "1e1", "99999999999999999999"}},
      {training, "--max-order", {"0", "4", "-1", "x", "2.5"}},
      {training, "--referee-folds", {"-1", "x", "2.5", "1000000"}},
      {training, "--max-g-additive", {"0", "1001", "-1", "x", "2.5"}},
      {training, "--max-g-pairwise", {"0", "1001", "-1", "x", "2.5"}},
      {training, "--max-levels", {"0", "-1", "x", "2.5", "1000001"}},
      {training, "--threads", {"-1", "1025", "x", "1.5", "99999999999999999999"}},
      {{"predict"}, "--threads", {"-1", "1025", "x", "1.5"}},
      {{"report"}, "--threads", {"-1", "1025", "x", "1.5"}},
      {{"predict"}, "--interval", {"x", "abc"}},
      {{"effects"}, "--points", {"0", "1", "-3", "x", "100001", "2.5"}},
      {{"effects"}, "--surface-points", {"0", "1", "-3", "x", "1001", "2.5"}},
      {{"effects"}, "--slices", {"0", "1", "-3", "x", "1001", "2.5"}},
      {{"example"}, "--n", {"0", "-1", "x", "2.5", "100000001"}},
      {{"example"}, "--seed", {"-1", "x", "2.5", "4294967296"}},
      {{"example"}, "--noise", {"-1", "x", "1001"}},
      {{"compare"}, "--seed", {"-1", "x", "2.5", "4294967296"}},
  };
  for (const Option& option : options)
    for (const std::string& command : option.commands)
      for (const std::string& value : option.values)
        expect_refused({with(command, option.name, value), {option.name, value}});
  EXPECT_GE(tried(), 150);
}

TEST_F(BadCommands, WordsThatAreNoChoiceAreNamed) {
  for (const std::string command : {"fit", "diagnose", "compare"})
    for (const auto& [option, values] : std::vector<std::pair<std::string, std::vector<std::string>>>{
             {"--profile", {"papre", "Default", "2"}},
             {"--structure", {"triple", "Pairwise", "1"}},
             {"--scale", {"cube", "LOG", "1"}}})
      for (const std::string& value : values) expect_refused({with(command, option, value), {option, value}});
  expect_all_refused({{with("effects", "--format", "xml"), {"--format", "xml"}},
                      {with("effects", "--format", "CSV2"), {"--format", "CSV2"}},
                      {{"completion", "fish"}, {"fish"}},
                      {{"completion", "cmd"}, {"cmd"}}});
}

TEST_F(BadCommands, SizesOfMemoryAreNamed) {
  for (const std::string command : {"fit", "diagnose", "compare"})
    for (const std::string size : {"10", "much", "-1GB", "1XB", "nan", "GB", "1000PB", "1e30", "31MB"})
      expect_refused({with(command, "--memory-limit", size), {"memory limit", size, "such as 800MB or 2GB"}});
}

TEST_F(BadCommands, ColumnsThatAreNotThereAreNamed) {
  for (const std::string command : {"fit", "diagnose", "compare"})
    for (const std::string option :
         {"--features", "--drop", "--categorical", "--weights", "--precision", "--group"})
      for (const std::string column : {"nothing", "Rent2"}) {
        if (command != "fit" && column == "Rent2") continue;
        if (command == "compare" && option == "--group") continue;  // refused whatever it names
        expect_refused({{command, "flats.csv", "-t", "rent", option, column}, {column}});
      }
  expect_all_refused({
      {{"fit", "flats.csv", "-t", "ren"}, {"'ren'", "rent"}},
      {{"fit", "flats.csv", "-t", ""}, {"No target"}},
      {{"fit", "flats.csv", "-t", "city", "--family", "gamma"}, {"city", "gamma"}},
      {{"fit", "flats.csv", "-t", "rent", "--weights", ""}, {"--weights", "empty"}},
      {{"fit", "flats.csv", "-t", "rent", "--precision", ""}, {"--precision", "empty"}},
      {{"fit", "flats.csv", "-t", "rent", "--group", ""}, {"--group", "empty"}},
      {{"fit", "flats.csv", "-t", "rent", "--weights", "city"}, {"city"}},
      {{"fit", "flats.csv", "-t", "rent", "--pairs", "size"}, {"'size' is not a pair"}},
      {{"fit", "flats.csv", "-t", "rent", "--pairs", "size:nothing"}, {"nothing"}},
      {{"fit", "flats.csv", "-t", "rent", "--pairs", "size:size"}, {"size"}},
      {{"fit", "flats.csv", "-t", "rent", "--pairs", "a:b:c"}, {"a:b:c"}},
      {{"predict", "flats.kore", "flats.csv", "--keep", "nothing"}, {"nothing"}},
      {{"predict", "flats.kore", "header.csv"}, {"column"}},
      {{"report", "flats.kore", "flats.csv", "--weights", "nothing"}, {"nothing"}},
  });
}

TEST_F(BadCommands, OptionsThatContradictEachOtherAreNamed) {
  const auto fit = [](std::vector<std::string> more) {
    Arguments arguments{"fit", "flats.csv", "-t", "rent", "--drop", "id"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  expect_all_refused({
      {fit({"--structure", "additive", "--pairs", "size:city"}),
       {"--pairs size:city", "--structure additive"}},
      {fit({"--structure", "additive", "--pairs", "all"}), {"--pairs all", "--structure additive"}},
      {fit({"--structure", "pairwise", "--pairs", "none"}), {"--structure"}},
      {fit({"--profile", "paper", "--max-levels", "3"}), {"--max-levels 3", "paper"}},
      {fit({"--profile", "paper", "--max-order", "2"}), {"--max-order", "paper"}},
      {fit({"--profile", "paper", "--referee-folds", "4"}), {"--referee-folds", "paper"}},
      {fit({"--profile", "paper", "--robust"}), {"--robust", "paper"}},
      {fit({"--profile", "paper", "--scale", "log"}), {"--scale log", "paper"}},
      {fit({"--profile", "paper", "--group", "city"}), {"--group", "paper"}},
      {fit({"--max-order", "1", "--pairs", "size:city"}), {"--max-order"}},
      {fit({"--weights", "size", "--precision", "size"}), {"--weights", "--precision"}},
      {fit({"--family", "additive"}), {"--family additive", "--structure"}},
      {fit({"-o", "one.kore", "--report", "one.kore"}), {"one.kore"}},
      {fit({"-o", "one.kore", "--report", "./one.kore"}), {"one.kore"}},
      {fit({"-o", "folder/../one.kore", "--report", "one.kore"}), {"one.kore"}},
      {fit({"-o", ""}), {"--output", "empty"}},
      {fit({"--report", ""}), {"--report", "empty"}},
      {fit({"-o", "flats.csv"}), {"flats.csv"}},
      {fit({"-o", "folder"}), {"folder"}},
      {fit({"-o", "nowhere/x.kore"}), {"nowhere"}},
      {fit({"--report", "flats.kore"}), {"flats.kore"}},
      {fit({"--report", "nowhere/x.html"}), {"nowhere"}},
      {fit({"--date-format", "day first"}), {"--date-format", "day first", "%d/%m/%Y"}},
      {fit({"--date-format", "%d/%m"}), {"--date-format", "%d/%m"}},
      {fit({"--date-format", ""}), {"--date-format"}},
      {{"predict", "flats.kore", "flats.csv", "-o", ""}, {"--output", "empty"}},
      {{"predict", "flats.kore", "flats.csv", "-o", "flats.csv"}, {"flats.csv"}},
      {{"predict", "flats.kore", "flats.csv", "-o", "flats.kore"}, {"flats.kore"}},
      {{"predict", "flats.kore", "flats.csv", "-o", "folder"}, {"folder"}},
      {{"predict", "flats.kore", "flats.csv", "-o", "nowhere/x.csv"}, {"nowhere"}},
      {{"predict", "flats.kore", "flats.csv", "--interval", "1.5"}, {"1.5", "0.9"}},
      {{"predict", "flats.kore", "flats.csv", "--interval", "0"}, {"0", "0.9"}},
      {{"predict", "flats.kore", "flats.csv", "--interval", "-0.5"}, {"-0.5"}},
      {{"predict", "flats.kore", "flats.csv", "--date-format", "x"}, {"--date-format", "x"}},
      {{"report", "flats.kore", "-o", ""}, {"--output", "empty"}},
      {{"report", "flats.kore", "-o", "flats.kore"}, {"flats.kore"}},
      {{"report", "flats.kore", "-o", "nowhere/x.html"}, {"nowhere"}},
      {{"report", "flats.kore", "--compare"}, {"--compare"}},
      {{"report", "flats.kore", "--weights", "size"}, {"--weights"}},
      {{"effects", "flats.kore", "--factors"}, {"--factors"}},
  });
}

TEST_F(BadCommands, FilesThatCannotBeReadAreNamed) {
  ASSERT_EQ(::mkfifo(folder.path("pipe.csv").c_str(), 0600), 0);
  for (const std::string command : {"fit", "diagnose", "compare"})
    expect_all_refused({{{command, "missing.csv", "-t", "y"}, {"missing.csv"}},
                        {{command, "folder", "-t", "y"}, {"folder"}},
                        {{command, "text.txt", "-t", "y"}, {"text.txt"}},
                        {{command, "empty.csv", "-t", "y"}, {"empty.csv", "empty"}},
                        {{command, "ragged.csv", "-t", "b"}, {"ragged.csv"}},
                        {{command, "twice.csv", "-t", "b"}, {"'a'"}},
                        {{command, "numbers.csv", "-t", "b"}, {"numbers.csv"}},
                        {{command, "broken.json", "-t", "a"}, {"broken.json"}},
                        {{command, "broken.parquet", "-t", "a"}, {"broken.parquet"}},
                        {{command, "pipe.csv", "-t", "y"}, {"pipe.csv", "pipe"}},
                        {{command, "nothing*.csv", "-t", "y"}, {"nothing*.csv"}},
                        {{command, "", "-t", "y"}, {"No data"}},
                        {{command, "https://example.org/flats.csv", "-t", "y"},
                         {"https://example.org/flats.csv", "'httpfs'", "not installed"}},
                        {{command, "SELECT nothing FROM 'flats.csv'", "-t", "y"}, {"nothing"}},
                        {{command, "SELECT * FORM 'flats.csv'", "-t", "y"}, {"query"}}});
  for (const std::string command : {"info", "effects", "report"})
    expect_all_refused({{{command, "missing.kore"}, {"missing.kore"}},
                        {{command, "flats.csv"}, {"flats.csv"}},
                        {{command, "empty.csv"}, {"empty.csv"}},
                        {{command, "folder"}, {"folder"}},
                        {{command, "pipe.csv"}, {"pipe.csv", "pipe"}}});
  expect_all_refused({{{"predict", "missing.kore", "flats.csv"}, {"missing.kore"}},
                      {{"predict", "flats.csv", "flats.csv"}, {"flats.csv"}},
                      {{"predict", "pipe.csv", "flats.csv"}, {"pipe.csv"}},
                      {{"predict", "flats.kore", "missing.csv"}, {"missing.csv"}},
                      {{"predict", "flats.kore", "pipe.csv"}, {"pipe.csv"}},
                      {{"predict", "flats.kore", "empty.csv"}, {"empty.csv"}},
                      {{"predict", "flats.kore", "folder"}, {"folder"}},
                      {{"predict", "flats.kore", "ragged.csv"}, {"ragged.csv"}}});
}

TEST_F(BadCommands, UnknownCommandsAndOptionsAreNamed) {
  expect_all_refused({{{}, {"--help"}},
                      {{"fti"}, {"'fti'", "fit"}},
                      {{"Fit"}, {"'Fit'"}},
                      {{"nonsense"}, {"'nonsense'"}},
                      {{"--nonsense"}, {"subcommand"}},
                      {{"example", "nguyen"}, {"nguyen"}}});
  for (const std::string command :
       {"fit", "predict", "diagnose", "compare", "effects", "info", "report", "example"})
    expect_all_refused({{with(command, "--nonsense", "1"), {"--nonsense"}},
                        {with(command, "-z", "1"), {"-z"}},
                        {{command}, {"kore " + command + " --help"}}});
}

}  // namespace
}  // namespace kore
