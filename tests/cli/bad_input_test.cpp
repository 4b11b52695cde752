// Bad input: status 2, one sentence on stderr that says what is wrong, nothing on stdout, nothing written.
#include "cli/run_command.hpp"
#include "cli/tables.hpp"
#include "kore/kore.hpp"
#include "model/format_versions.hpp"

namespace kore {
namespace {

class BadInputTest : public test::CommandTest {
 protected:
  void SetUp() override {
    folder.write("flats.csv", test::flats_csv(120, 1));
    kore({"fit", "flats.csv", "--target", "rent", "--drop", "id", "-q", "-o", "flats.kore"});
  }

  /// Expects the refusal and returns its sentence.
  std::string refused(const Arguments& arguments) const {
    SCOPED_TRACE(shown(arguments));
    const auto before = folder.names();
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(folder.names(), before) << "something was written";
    EXPECT_EQ(outcome.err.rfind("kore: ", 0), 0U) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << "one line: " << outcome.err;
    EXPECT_SAYS(outcome.err, ".") << "a sentence";
    return outcome.err;
  }
  std::string refused_fit(const Arguments& more) const {
    Arguments arguments{"fit", "flats.csv", "--target", "rent", "--drop", "id", "-o", "new.kore"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return refused(arguments);
  }
  /// A fit of a table with this content.
  std::string refused_csv(const std::string& content, const std::string& target = "y") const {
    folder.write("bad.csv", content);
    return refused({"fit", "bad.csv", "--target", target, "-o", "new.kore"});
  }
};

TEST_F(BadInputTest, MissingFile) {
  EXPECT_SAYS(refused({"fit", "flets.csv", "--target", "rent"}),
              "There is no file 'flets.csv'. Did you mean 'flats.csv'?");
  EXPECT_SAYS(refused({"fit", "no/such/file.parquet", "--target", "rent"}), "'no/such/file.parquet'");
  EXPECT_SAYS(refused({"fit", "*.parquet", "--target", "rent"}), "*.parquet");
  EXPECT_SAYS(refused({"predict", "flats.kore", "flets.csv", "-o", "p.csv"}), "Did you mean 'flats.csv'?");
  EXPECT_SAYS(refused({"predict", "flets.kore", "flats.csv"}), "'flets.kore'");
  EXPECT_SAYS(refused({"info", "flets.kore"}), "'flets.kore'");
  EXPECT_SAYS(refused({"diagnose", ".", "--target", "rent"}), "is a folder");
}

TEST_F(BadInputTest, WhatIsMissingIsExplainedByTheHelpOfTheCommand) {
  EXPECT_SAYS(refused({"fit", "flats.csv"}), "--target is required. Try 'kore fit --help'.");
  EXPECT_SAYS(refused({"predict", "flats.kore"}), "DATA is required. Try 'kore predict --help'.");
  EXPECT_SAYS(refused({}), "Try 'kore --help'.");
}

TEST_F(BadInputTest, NumbersThatPeopleHaveFormatted) {
  std::string commas = "x,price,y\n";
  std::string euros = "x,price,y\n";
  for (int i = 0; i < 60; ++i) {
    const std::string row = std::to_string(i % 7) + ",";
    commas += row + std::to_string(i) + ",\"" + std::to_string(i) + ",25\"\n";
    euros += row + "€" + std::to_string(i) + ".5," + std::to_string(i) + "\n";
  }
  EXPECT_SAYS(
      refused_csv(commas),
      "for example '0,25'. Decimal commas become points in a query: CAST(replace(replace(\"y\", '.', ''), "
      "',', '.') AS DOUBLE).");
  EXPECT_SAYS(refused_csv(euros),
              "its values are numbers with signs in them, such as '€0.5'. Turn it into numbers in a query "
              "(CAST(regexp_replace(\"price\", '[^0-9.-]', '', 'g') AS DOUBLE)), or leave it out with --drop "
              "price.");
}

TEST_F(BadInputTest, EmptyFile) {
  EXPECT_SAYS(refused_csv(""), "The file 'bad.csv' is empty");
  EXPECT_SAYS(refused_csv("x,y\n"), "There are no rows in the file 'bad.csv'");
}

TEST_F(BadInputTest, NoSuchColumn) {
  EXPECT_SAYS(refused({"fit", "flats.csv", "--target", "rnet"}),
              "There is no column 'rnet' in the file 'flats.csv'. Did you mean 'rent'?");
  EXPECT_SAYS(refused_fit({"--features", "siez,rooms"}), "'siez'");
  EXPECT_SAYS(refused_fit({"--features", "siez,rooms"}), "Did you mean 'size'?");
  EXPECT_SAYS(refused_fit({"--drop", "citty"}), "Did you mean 'city'?");
  EXPECT_SAYS(refused_fit({"--categorical", "romms"}), "Did you mean 'rooms'?");
  EXPECT_SAYS(refused_fit({"--weights", "wieght"}), "'wieght'");
  EXPECT_SAYS(refused({"predict", "flats.kore", "flats.csv", "--keep", "idd"}), "Did you mean 'id'?");
}

TEST_F(BadInputTest, TargetThatIsNoNumber) {
  EXPECT_SAYS(refused({"fit", "flats.csv", "--target", "city", "--family", "normal"}),
              "the normal family needs numbers");
  EXPECT_SAYS(refused_csv("x,y\n1,a\n2,b\n3,c\n4,d\n"), "The target 'y' must be a number")
      << "it names the rows";
  EXPECT_SAYS(refused_csv("x,y\n1,2\n2,cheap\n3,4\n"), "for example 'cheap'");
}

TEST_F(BadInputTest, TargetWithOneValue) {
  EXPECT_SAYS(refused_csv("x,y\n1,5\n2,5\n3,5\n"), "The target 'y' is 5 in every row");
  EXPECT_SAYS(refused_csv("x,y\n1,\n2,\n"), "The target 'y' has no value in any row");
}

TEST_F(BadInputTest, RaggedCsv) {
  EXPECT_SAYS(refused_csv("x,z,y\n1,2,3\n4,5\n6,7,8\n"),
              "Line 3 of the file 'bad.csv' has 2 fields, but the header has 3");
}

TEST_F(BadInputTest, BrokenQuotes) {
  EXPECT_SAYS(refused_csv("x,y\n1,2\n\"3,4\n5,6\n"), "double quote that is never closed");
}

TEST_F(BadInputTest, WrongEncoding) {
  EXPECT_SAYS(refused_csv("c,y\ncaf\xE9,2\nb,3\nc,5\n"), "is not UTF-8 text");
  EXPECT_SAYS(refused_csv("c,y\ncaf\xE9,2\nb,3\nc,5\n"), "iconv -f LATIN1 -t UTF-8");
  EXPECT_SAYS(refused_csv(std::string("\xFF\xFEx\0,\0y\0\n\0", 10)), "iconv -f UTF-16 -t UTF-8");
}

TEST_F(BadInputTest, DuplicateColumnNames) {
  EXPECT_SAYS(refused_csv("a,y,a\n1,2,3\n2,3,4\n"), "two columns named 'a'");
}

TEST_F(BadInputTest, HeaderOfNumbers) {
  EXPECT_SAYS(refused_csv("1,2\n3,4\n5,6\n"), "numbers instead of column names");
}

TEST_F(BadInputTest, IdentifiersAreLeftOutWithANote) {
  std::string names = "name,x,y\n";
  for (int i = 0; i < 60; ++i)
    names += "person" + std::to_string(i) + "," + std::to_string(i % 7) + "," + std::to_string(i % 11) + "\n";
  folder.write("names.csv", names);
  EXPECT_SAYS(kore({"fit", "names.csv", "--target", "y"}).out,
              "Column 'name' is left out: it has a different value in each of its 60 rows");
}

TEST_F(BadInputTest, NumbersAmongTexts) {
  std::string texts = "size,y\n";
  for (int i = 0; i < 99; ++i) texts += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  EXPECT_SAYS(refused_csv(texts + "none of it,3\n"),
              "99 of its 100 values are numbers; 'none of it' is not. Turn it into numbers (in a query: "
              "TRY_CAST(\"size\" AS DOUBLE), which makes other texts missing values), treat it as a category "
              "with --categorical size, or leave it out with --drop size.");
}

TEST_F(BadInputTest, NoFeatureIsLeft) {
  EXPECT_SAYS(refused_csv("x,y\n1,2\n1,3\n1,4\n"), "No feature is left");
  EXPECT_SAYS(refused_csv("y\n2\n3\n4\n"), "is left to be a feature");
}

TEST_F(BadInputTest, ModelOfANewerVersion) {
  std::string bytes = folder.read("flats.kore");
  // The envelope begins with four letters and a little-endian version.
  bytes[4] = static_cast<char>(format_version + 1);
  folder.write("newer.kore", bytes);
  for (const Arguments& arguments : {Arguments{"predict", "newer.kore", "flats.csv"},
                                     Arguments{"info", "newer.kore"}, Arguments{"effects", "newer.kore"}})
    EXPECT_SAYS(refused(arguments), "was written by a newer version");
}

TEST_F(BadInputTest, ModelThatIsNone) {
  EXPECT_SAYS(refused({"predict", "flats.csv", "flats.csv"}),
              "The file 'flats.csv' cannot be used as a model. This is not a KORE model");
  folder.write("empty.kore", "");
  EXPECT_SAYS(refused({"info", "empty.kore"}), "not a KORE model");
  refused({"info", "."});
}

TEST_F(BadInputTest, ModelThatIsTruncatedOrDamaged) {
  const std::string whole = folder.read("flats.kore");
  for (const std::size_t length : {std::size_t{10}, whole.size() / 2, whole.size() - 1}) {
    folder.write("part.kore", whole.substr(0, length));
    EXPECT_SAYS(refused({"predict", "part.kore", "flats.csv", "-o", "p.csv"}), "is truncated");
  }
  for (const std::size_t at : {whole.size() / 3, whole.size() - 2}) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    folder.write("damaged.kore", damaged);
    EXPECT_SAYS(refused({"info", "damaged.kore"}), "checksum does not match");
  }
}

TEST_F(BadInputTest, ModelOfBareArrays) {
  const test::Rows rows = test::made_up_rows(60, 2, 1);
  save(fit(rows.view(), rows.y), folder.path("bare.kore"));
  EXPECT_SAYS(refused({"predict", "bare.kore", "flats.csv"}), "was fitted on bare arrays");
}

TEST_F(BadInputTest, PredictionDataThatLackAColumn) {
  folder.write("less.csv", "sice,rooms,built,balcony\n60,2,1990-05-15,true\n");
  const std::string sentence = refused({"predict", "flats.kore", "less.csv", "-o", "p.csv"});
  EXPECT_SAYS(sentence, "There is no column 'size' in the file 'less.csv', which the model needs.");
  EXPECT_SAYS(sentence, "'sice'");
}

TEST_F(BadInputTest, PredictionDataOfAnotherKind) {
  folder.write("other.csv", "size,rooms,city,built,balcony\nlarge,2,Bonn,1990-05-15,true\n");
  EXPECT_SAYS(refused({"predict", "flats.kore", "other.csv", "-o", "p.csv"}), "'size'");
}

TEST_F(BadInputTest, SqlErrors) {
  for (const char* query : {"SELECT * FRM x", "FROM 'nosuch.csv'", "SELECT nocol FROM 'flats.csv'",
                            "SELECT 'abc'::INTEGER AS x, 1 AS rent", "SELECT 1 AS rent; SELECT 2"})
    EXPECT_SAYS(refused({"fit", query, "--target", "rent", "-o", "new.kore"}), "The query cannot be run");
  refused({"predict", "flats.kore", "SELECT * FROM nowhere", "-o", "p.csv"});
  refused({"fit", "WITH t AS (SELECT 1 AS y) COPY t TO 'out.csv'", "--target", "y"});
}

TEST_F(BadInputTest, OutputThatCannotBeWritten) {
  // Through a file or a missing folder: not even the superuser can write there.
  for (const char* place : {"flats.csv/new.kore", "missing/new.kore", "."})
    EXPECT_SAYS(refused({"fit", "flats.csv", "--target", "rent", "--drop", "id", "-o", place}), place);
  for (const char* place : {"flats.csv/p.csv", "missing/p.csv", "missing/p.parquet"})
    EXPECT_SAYS(refused({"predict", "flats.kore", "flats.csv", "-o", place}), place);
  EXPECT_SAYS(refused({"predict", "flats.kore", "flats.csv", "-o", "p.xlsx"}),
              ".csv, .csv.gz, .tsv or .parquet");
  EXPECT_SAYS(refused({"example", "franke", "-o", "missing/f.csv"}), "missing/f.csv");
}

TEST_F(BadInputTest, OutputThatIsAlsoAnInput) {
  std::filesystem::create_symlink("flats.csv", folder.path("link.csv"));
  std::filesystem::create_hard_link(folder.path("flats.csv"), folder.path("hard.csv"));
  std::filesystem::create_symlink("flats.kore", folder.path("link.kore"));
  for (const char* output : {"flats.csv", "./flats.csv", "link.csv", "hard.csv"})
    for (const char* data : {"flats.csv", "fl*.csv", "FROM 'flats.csv'", "FROM read_csv(\"flats.csv\")",
                             "SELECT * FROM 'f*.csv'"})
      EXPECT_SAYS(refused({"predict", "flats.kore", data, "-o", output}), "is a file that is read");
  EXPECT_SAYS(refused({"predict", "flats.kore", "flats.csv", "-o", "link.csv"}), "(as 'flats.csv')");
  // The model is an input as well.
  std::filesystem::copy_file(folder.path("flats.kore"), folder.path("model.csv"));
  EXPECT_SAYS(refused({"predict", "model.csv", "flats.csv", "-o", "model.csv"}), "is a file that is read");
  EXPECT_SAYS(refused({"fit", "flats.csv", "--target", "rent", "-o", "flats.csv"}), "not a KORE model");
}

TEST_F(BadInputTest, ModelInThePlaceOfSomethingElse) {
  folder.write("letter.txt", "Dear reader");
  EXPECT_SAYS(refused({"fit", "flats.csv", "--target", "rent", "-o", "letter.txt"}),
              "The file 'letter.txt' exists and is not a KORE model");
  EXPECT_EQ(folder.read("letter.txt"), "Dear reader");
}

TEST_F(BadInputTest, PlacesThatCannotBeWrittenAreFoundBeforeTheFit) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may write everywhere";
  std::filesystem::create_directory(folder.path("locked"));
  std::filesystem::permissions(folder.path("locked"), std::filesystem::perms::owner_read);
  EXPECT_SAYS(refused({"fit", "no such table.csv", "--target", "rent", "-o", "locked/new.kore"}), "locked");
  std::filesystem::permissions(folder.path("locked"), std::filesystem::perms::owner_all);
}

TEST_F(BadInputTest, RowsOfPredictionDataAreNamedByTheirPlaceInTheTable) {
  kore(
      {"fit", "SELECT sin(i) AS x, cos(i) AS y FROM range(100) t(i)", "--target", "y", "-q", "-o", "x.kore"});
  EXPECT_SAYS(
      refused({"predict", "x.kore",
               "SELECT CASE WHEN i = 70000 THEN 'inf'::DOUBLE ELSE 0.5 END AS x FROM range(80000) t(i)"}),
      "In the column 'x', row 70000 (counted from 0): the value is not a finite number.");
}

TEST_F(BadInputTest, FullStandardOutput) {
  for (const char* command : {" fit flats.csv --target rent", " fit flats.csv --target rent --json",
                              " predict flats.kore flats.csv", " info flats.kore"}) {
    const auto outcome = shell(KORE_COMMAND + std::string(command) + " > /dev/full");
    EXPECT_NE(outcome.status, 0) << command;
    EXPECT_EQ(outcome.err.rfind("kore: ", 0), 0U) << outcome.err;
  }
}

TEST_F(BadInputTest, UnknownCommandsAndOptions) {
  EXPECT_SAYS(refused({"predct", "flats.kore"}), "There is no command 'predct'. Did you mean 'predict'?");
  EXPECT_SAYS(refused({}), "required");
  EXPECT_SAYS(refused_fit({"--verbose"}), "--verbose");
  EXPECT_SAYS(refused_fit({"surplus"}), "surplus");
  EXPECT_SAYS(refused({"fit", "flats.csv"}), "--target");
  EXPECT_SAYS(refused({"fit", "--target", "rent"}), "DATA");
  EXPECT_SAYS(refused({"completion", "fish"}), "fish");
}

TEST_F(BadInputTest, BadValuesOfOptions) {
  EXPECT_SAYS(refused_fit({"--profile", "papre"}), "papre");
  EXPECT_SAYS(refused_fit({"--structure", "triple"}), "triple");
  for (const char* structure : {"additive", "pairwise"})
    EXPECT_SAYS(refused_fit({"--family", structure}),
                std::string("--family ") + structure + " is not an option any more");
  EXPECT_SAYS(refused_fit({"--family=additive"}), "--structure auto, additive or pairwise");
  for (const char* degree : {"0", "8", "-1", "three"}) {
    const std::string sentence = refused_fit({std::string("--degree=") + degree});
    EXPECT_SAYS(sentence, "degree");
    EXPECT_SAYS(sentence, degree);
  }
  for (const char* limit : {"10", "much", "-1GB", "1XB", "nan", "GB", "32000 000"})
    EXPECT_SAYS(refused_fit({std::string("--memory-limit=") + limit}), "such as 800MB or 2GB");
  for (const char* bad : {"--max-g-additive=0", "--max-g-pairwise=-2", "--threads=-1", "--threads=1025",
                          "--max-levels=0", "--max-levels=-1"})
    refused_fit({bad});
}

TEST_F(BadInputTest, SeedsBelowZero) {
  EXPECT_SAYS(refused({"example", "franke", "--seed=-1"}), "--seed");
  EXPECT_SAYS(refused({"compare", "flats.csv", "-t", "rent", "--seed=-1"}), "--seed");
}

TEST_F(BadInputTest, BadPairs) {
  EXPECT_SAYS(refused_fit({"--pairs", "size"}), "'size' is not a pair");
  EXPECT_SAYS(refused_fit({"--pairs", "size:rooms:city"}), "is not a pair");
  EXPECT_SAYS(refused_fit({"--pairs", "size:rooms,"}), "'' is not a pair");
  EXPECT_SAYS(refused_fit({"--pairs", "size:size"}), "joins a column with itself");
  EXPECT_SAYS(refused_fit({"--pairs", "size:romos"}), "Did you mean 'rooms'?");
  EXPECT_SAYS(refused_fit({"--pairs", "size:rent"}), "'rent'");
}

TEST_F(BadInputTest, AStructureWithoutPairsIsRefusedInTheCommandsOwnWords) {
  EXPECT_SAYS(refused_fit({"--structure", "pairwise", "--pairs", "none"}),
              "--structure is pairwise; it must be auto");
  EXPECT_SAYS(refused_fit({"--structure", "pairwise", "--features", "rooms"}), "--structure is pairwise");
}

TEST_F(BadInputTest, PairsWithoutAnOrderForThem) {
  const char* const sentence =
      "--max-order is 1; it must be 2 or 3 with given --pairs or --structure pairwise.";
  EXPECT_SAYS(refused_fit({"--max-order", "1", "--structure", "pairwise"}), sentence);
  EXPECT_SAYS(refused_fit({"--max-order", "1", "--pairs", "size:rooms"}), sentence);
}

TEST_F(BadInputTest, BadWeights) {
  EXPECT_SAYS(refused_fit({"--weights", "city"}), "must be a number");
  EXPECT_SAYS(refused_fit({"--weights", "size"}), "have no value in");
  EXPECT_SAYS(refused_fit({"--weights", "rent"}), "'rent'");
}

}  // namespace
}  // namespace kore
