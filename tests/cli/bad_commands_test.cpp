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

using Arguments = std::vector<std::string>;
using Commands = std::vector<BadCommand>;

/// A command that would go well without the option.
Arguments with(const std::string& command, const std::string& option, const std::string& value) {
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

/// A fit that would go well without these.
Arguments fit_with(const Arguments& more) {
  Arguments arguments{"fit", "flats.csv", "-t", "rent", "--drop", "id"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Commands numbers_out_of_range() {
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
      {training, "--max-columns", {"0", "-1", "x", "2.5", "1000001"}},
      {training, "--terms", {"0", "-1", "x", "2.5", "1000001"}},
      {training, "--threads", {"-1", "1025", "x", "1.5", "99999999999999999999"}},
      {{"predict"}, "--threads", {"-1", "1025", "x", "1.5"}},
      {{"report"}, "--threads", {"-1", "1025", "x", "1.5"}},
      {{"predict"}, "--interval", {"x", "abc"}},
      {{"effects"}, "--points", {"0", "1", "-3", "x", "100001", "2.5"}},
      {{"effects"}, "--surface-points", {"0", "1", "-3", "x", "1001", "2.5"}},
      {{"effects"}, "--slices", {"0", "1", "-3", "x", "1001", "2.5"}},
      {{"effects"}, "--most", {"0", "-1", "x", "1001"}},
      {{"example"}, "--n", {"0", "-1", "x", "2.5", "100000001"}},
      {{"example"}, "--seed", {"-1", "x", "2.5", "4294967296"}},
      {{"example"}, "--noise", {"-1", "x", "1001"}},
      {{"compare"}, "--seed", {"-1", "x", "2.5", "4294967296"}},
  };
  Commands all;
  for (const Option& option : options)
    for (const std::string& command : option.commands)
      for (const std::string& value : option.values)
        all.push_back({with(command, option.name, value), {option.name, value}});
  return all;
}

Commands words_that_are_no_choice() {
  Commands all;
  for (const std::string command : {"fit", "diagnose", "compare"})
    for (const auto& [option, values] : std::vector<std::pair<std::string, std::vector<std::string>>>{
             {"--profile", {"papre", "Default", "2"}},
             {"--structure", {"triple", "Pairwise", "1"}},
             {"--family", {"cauchy", "Poisson", "1"}},
             {"--scale", {"cube", "LOG", "1"}}})
      for (const std::string& value : values) all.push_back({with(command, option, value), {option, value}});
  const Commands others{
      {with("effects", "--format", "xml"), {"--format", "xml"}},
      {with("effects", "--format", "CSV2"), {"--format", "CSV2"}},
      {{"export", "flats.kore", "--to", "xml"}, {"--to", "xml"}},
      {{"export", "flats.kore", "--to", "sql", "--dialect", "oracle"}, {"--dialect", "oracle"}},
      {{"export", "flats.kore", "--to", "c", "--name", "9x"}, {"'9x'"}},
      {{"completion", "fish"}, {"fish"}},
      {{"completion", "cmd"}, {"cmd"}}};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

Commands sizes_of_memory() {
  Commands all;
  for (const std::string command : {"fit", "diagnose", "compare"})
    for (const std::string size : {"10", "much", "-1GB", "1XB", "nan", "GB", "1000PB", "1e30", "31MB"})
      all.push_back({with(command, "--memory-limit", size), {"memory limit", size, "such as 800MB or 2GB"}});
  return all;
}

Commands columns_that_are_not_there() {
  Commands all;
  for (const std::string command : {"fit", "diagnose", "compare"})
    for (const std::string option : {"--features", "--drop", "--categorical", "--weights", "--precision",
                                     "--group", "--linear", "--cyclic", "--exposure", "--offset"})
      for (const std::string column : {"nothing", "Rent2"}) {
        if (command != "fit" && column == "Rent2") continue;
        if (command == "compare" && option == "--group") continue;  // refused whatever it names
        all.push_back({{command, "flats.csv", "-t", "rent", option, column}, {column}});
      }
  const Commands others{
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
      {fit_with({"--positive", "maybe"}), {"'maybe'", "'rent'"}},
      {fit_with({"--max-resolution", "nothing:4"}), {"'nothing'"}},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

/// Curves of single columns, and columns that are part of the prediction as they are.
Commands choices_of_columns() {
  const auto counts = [](const Arguments& more) {
    Arguments arguments{"fit", "flats.csv", "-t", "rooms", "--drop", "id", "--family", "poisson"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  Commands all{
      {fit_with({"--cyclic", "city"}), {"'city'", "category"}},
      {fit_with({"--cyclic", "balcony:2"}), {"'balcony'", "two values"}},
      {fit_with({"--cyclic", "size:1e-300"}), {"'size'", "too short"}},
      {fit_with({"--cyclic", "rent:10"}), {"'rent'"}},
      {fit_with({"--cyclic", "rooms:12", "--linear", "rooms"}), {"'rooms'", "straight line"}},
      {fit_with({"--cyclic", "rooms:12", "--categorical", "rooms"}), {"'rooms'", "category"}},
      {fit_with({"--cyclic", "rooms:12", "--profile", "paper"}), {"yclic", "default profile"}},
      {fit_with({"--max-resolution", "city:4"}), {"'city'", "category"}},
      {fit_with({"--max-resolution", "size:4", "--linear", "size"}), {"'size'", "straight line"}},
      {fit_with({"--max-resolution", "size:4", "--profile", "paper"}), {"resolution", "default profile"}},
      {fit_with({"--linear", "city"}), {"'city'", "category"}},
      {fit_with({"--linear", "rent"}), {"'rent'"}},
      {fit_with({"--max-columns", "1"}), {"columns", "limit of 1"}},
      {fit_with({"--offset", "city"}), {"offset 'city'", "number"}},
      {fit_with({"--offset", "rent"}), {"'rent'", "target", "offset"}},
      {fit_with({"--offset", "size"}), {"offsets 'size'", "no finite value"}},
      {fit_with({"--offset", "rooms", "--weights", "rooms"}), {"'rooms'", "weights", "offset"}},
      {fit_with({"--offset="}), {"--offset"}},
      {fit_with({"--exposure="}), {"--exposure"}},
      {fit_with({"--exposure", "size", "--family", "gamma"}), {"xposure", "poisson", "gamma"}},
      {counts({"--exposure", "city"}), {"exposure", "'city'", "number"}},
      {counts({"--exposure", "rooms"}), {"'rooms'", "target", "exposure"}},
      {counts({"--exposure", "size", "--offset", "size"}), {"'size'", "exposure", "offset"}},
      {counts({"--exposure", "size", "--profile", "paper"}), {"poisson", "paper"}},
      {fit_with({"--family", "binomial"}), {"'rent'", "binomial"}},
  };
  for (const std::string period : {"0", "-3", "x", "nan", "inf"})
    all.push_back({fit_with({"--cyclic", "size:" + period}), {"--cyclic", "size:" + period, "period"}});
  for (const std::string most : {"size", "size:0", "size:-1", "size:x", "size:2.5"})
    all.push_back({fit_with({"--max-resolution", most}), {"--max-resolution", "size", "whole number"}});
  return all;
}

Commands tables_for_a_test() {
  return {{fit_with({"--test", "missing.csv"}), {"missing.csv"}},
          {fit_with({"--test", "folder"}), {"folder"}},
          {fit_with({"--test", "empty.csv"}), {"empty.csv", "empty"}},
          {fit_with({"--test", "header.csv"}), {"header.csv", "'rent'"}},
          {fit_with({"--test", "numbers.csv"}), {"numbers.csv"}},
          {fit_with({"--test", "ragged.csv"}), {"ragged.csv", "3 fields"}},
          {fit_with({"--test", "broken.parquet"}), {"broken.parquet"}},
          {fit_with({"--test", "pipe.csv"}), {"pipe.csv", "pipe"}},
          {fit_with({"--test="}), {"--test"}}};
}

Commands options_that_contradict_each_other() {
  return {
      {fit_with({"--structure", "additive", "--pairs", "size:city"}),
       {"--pairs size:city", "--structure additive"}},
      {fit_with({"--structure", "additive", "--pairs", "all"}), {"--pairs all", "--structure additive"}},
      {fit_with({"--structure", "pairwise", "--pairs", "none"}), {"--structure"}},
      {fit_with({"--profile", "paper", "--max-levels", "3"}), {"--max-levels 3", "paper"}},
      {fit_with({"--profile", "paper", "--max-order", "2"}), {"--max-order", "paper"}},
      {fit_with({"--profile", "paper", "--referee-folds", "4"}), {"--referee-folds", "paper"}},
      {fit_with({"--profile", "paper", "--robust"}), {"--robust", "paper"}},
      {fit_with({"--profile", "paper", "--scale", "log"}), {"--scale log", "paper"}},
      {fit_with({"--profile", "paper", "--group", "city"}), {"--group", "paper"}},
      {fit_with({"--max-order", "1", "--pairs", "size:city"}), {"--max-order"}},
      {fit_with({"--weights", "size", "--precision", "size"}), {"--weights", "--precision"}},
      {fit_with({"--family", "additive"}), {"--family additive", "--structure"}},
      {fit_with({"-o", "one.kore", "--report", "one.kore"}), {"one.kore"}},
      {fit_with({"-o", "one.kore", "--report", "./one.kore"}), {"one.kore"}},
      {fit_with({"-o", "folder/../one.kore", "--report", "one.kore"}), {"one.kore"}},
      {fit_with({"-o", ""}), {"--output", "empty"}},
      {fit_with({"--report", ""}), {"--report", "empty"}},
      {fit_with({"-o", "flats.csv"}), {"flats.csv"}},
      {fit_with({"-o", "folder"}), {"folder"}},
      {fit_with({"-o", "nowhere/x.kore"}), {"nowhere"}},
      {fit_with({"--report", "flats.kore"}), {"flats.kore"}},
      {fit_with({"--report", "nowhere/x.html"}), {"nowhere"}},
      {fit_with({"--date-format", "day first"}), {"--date-format", "day first", "%d/%m/%Y"}},
      {fit_with({"--date-format", "%d/%m"}), {"--date-format", "%d/%m"}},
      {fit_with({"--date-format", ""}), {"--date-format"}},
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
      {{"effects", "flats.kore", "--class", "low"}, {"--class low", "flats.kore"}},
      {{"report", "flats.kore", "--class", "low"}, {"--class low", "flats.kore"}},
      {{"explain", "flats.kore", "flats.csv", "--class", "low"}, {"--class low", "flats.kore"}},
      {{"export", "flats.kore", "--to", "json", "-o", "nowhere/x.json"}, {"nowhere"}},
      {fit_with({"--terms", "3", "--profile", "paper"}), {"--terms", "paper"}},
      {fit_with({"--simple", "--profile", "paper"}), {"--simple", "paper"}},
      {fit_with({"--family", "poisson", "--profile", "paper"}), {"poisson", "paper"}},
      {{"compare", "flats.csv", "-t", "rent", "--drop", "id", "--folds", "1"}, {"1 folds"}},
      {{"compare", "flats.csv", "-t", "rent", "--drop", "id", "--folds", "1000"}, {"1000 folds"}},
      {{"compare", "flats.csv", "-t", "rent", "--drop", "id", "--folds", "x"}, {"--folds", "x"}},
  };
}

Commands files_that_cannot_be_read() {
  Commands all;
  const auto add = [&all](const Commands& more) { all.insert(all.end(), more.begin(), more.end()); };
  for (const std::string command : {"fit", "diagnose", "compare"})
    add({{{command, "missing.csv", "-t", "y"}, {"missing.csv"}},
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
    add({{{command, "missing.kore"}, {"missing.kore"}},
         {{command, "flats.csv"}, {"flats.csv"}},
         {{command, "empty.csv"}, {"empty.csv"}},
         {{command, "folder"}, {"folder"}},
         {{command, "pipe.csv"}, {"pipe.csv", "pipe"}}});
  add({{{"predict", "missing.kore", "flats.csv"}, {"missing.kore"}},
       {{"predict", "flats.csv", "flats.csv"}, {"flats.csv"}},
       {{"predict", "pipe.csv", "flats.csv"}, {"pipe.csv"}},
       {{"predict", "flats.kore", "missing.csv"}, {"missing.csv"}},
       {{"predict", "flats.kore", "pipe.csv"}, {"pipe.csv"}},
       {{"predict", "flats.kore", "empty.csv"}, {"empty.csv"}},
       {{"predict", "flats.kore", "folder"}, {"folder"}},
       {{"predict", "flats.kore", "ragged.csv"}, {"ragged.csv"}},
       {{"explain", "missing.kore", "flats.csv"}, {"missing.kore"}},
       {{"explain", "flats.kore", "missing.csv"}, {"missing.csv"}},
       {{"export", "missing.kore", "--to", "json"}, {"missing.kore"}},
       {{"export", "flats.csv", "--to", "json"}, {"flats.csv"}}});
  return all;
}

Commands unknown_commands_and_options() {
  Commands all{{{}, {"--help"}},
               {{"fti"}, {"'fti'", "fit"}},
               {{"Fit"}, {"'Fit'"}},
               {{"nonsense"}, {"'nonsense'"}},
               {{"--nonsense"}, {"subcommand"}},
               {{"example", "nguyen"}, {"nguyen"}}};
  for (const std::string command :
       {"fit", "predict", "diagnose", "compare", "effects", "info", "report", "example"})
    for (const BadCommand& one : Commands{{with(command, "--nonsense", "1"), {"--nonsense"}},
                                          {with(command, "-z", "1"), {"-z"}},
                                          {{command}, {"kore " + command + " --help"}}})
      all.push_back(one);
  return all;
}

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
    ASSERT_EQ(::mkfifo(folder.path("pipe.csv").c_str(), 0600), 0);
    kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "-q", "-o", "flats.kore"});
  }

  void expect_refused(const BadCommand& command) {
    SCOPED_TRACE(shown(command.arguments));
    const auto before = folder.names();
    const auto outcome = run(command.arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(folder.names(), before) << "something was written";
    EXPECT_EQ(outcome.err.rfind("kore: ", 0), 0U) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << "one line: " << outcome.err;
    for (const std::string& part : command.named) EXPECT_SAYS(outcome.err, part);
  }
  void expect_all_refused(const Commands& commands) {
    for (const BadCommand& command : commands) expect_refused(command);
  }
};

TEST_F(BadCommands, NumbersOutOfRangeAreNamedWithTheirOption) { expect_all_refused(numbers_out_of_range()); }
TEST_F(BadCommands, WordsThatAreNoChoiceAreNamed) { expect_all_refused(words_that_are_no_choice()); }
TEST_F(BadCommands, SizesOfMemoryAreNamed) { expect_all_refused(sizes_of_memory()); }
TEST_F(BadCommands, ColumnsThatAreNotThereAreNamed) { expect_all_refused(columns_that_are_not_there()); }
TEST_F(BadCommands, ChoicesThatDoNotSuitAColumnAreNamed) { expect_all_refused(choices_of_columns()); }
TEST_F(BadCommands, TablesForATestThatDoNotFitAreNamed) { expect_all_refused(tables_for_a_test()); }
TEST_F(BadCommands, OptionsThatContradictEachOtherAreNamed) {
  expect_all_refused(options_that_contradict_each_other());
}
TEST_F(BadCommands, FilesThatCannotBeReadAreNamed) { expect_all_refused(files_that_cannot_be_read()); }
TEST_F(BadCommands, UnknownCommandsAndOptionsAreNamed) { expect_all_refused(unknown_commands_and_options()); }

TEST(BadCommandsTogether, AreMoreThanThreeHundredAndAllDifferent) {
  std::set<Arguments> different;
  for (const Commands& commands :
       {numbers_out_of_range(), words_that_are_no_choice(), sizes_of_memory(), columns_that_are_not_there(),
        choices_of_columns(), tables_for_a_test(), options_that_contradict_each_other(),
        files_that_cannot_be_read(), unknown_commands_and_options()})
    for (const BadCommand& command : commands) {
      EXPECT_TRUE(different.insert(command.arguments).second)
          << "given twice: " << ::testing::PrintToString(command.arguments);
      EXPECT_FALSE(command.named.empty());
    }
  EXPECT_GE(different.size(), 300U);
  RecordProperty("commands", static_cast<int>(different.size()));
}

}  // namespace
}  // namespace kore
