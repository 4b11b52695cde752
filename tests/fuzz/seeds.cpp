// Writes the files that the fuzzers start from: small real fits of both profiles and what passes send.
// Usage: fuzz_seeds FOLDER
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/bytes.hpp"
#include "fuzz/mutation.hpp"
#include "fuzz/passes.hpp"
#include "kore/fit.hpp"
#include "kore/table_model.hpp"
#include "pass/gram_passes.hpp"
#include "report/made_up_model.hpp"
#include "stats/row_sample.hpp"
#include "table/encoding_bytes.hpp"
#include "table/table_task.hpp"

namespace kore::fuzz {
namespace {

namespace fs = std::filesystem;

class Corpus {
 public:
  explicit Corpus(fs::path folder) : folder_(std::move(folder)) {}

  void add(const std::string& fuzzer, const Bytes& bytes) {
    fs::create_directories(folder_ / fuzzer);
    std::ofstream file(folder_ / fuzzer / ("seed-" + std::to_string(count_++)), std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  fs::path folder_;
  int count_ = 0;
};

/// A bare model of each way to fit.
void add_bare_models(Corpus& corpus) {
  const test::Rows rows = test::made_up_rows(80, 2, 5, 0.1);
  Options grown;
  Options robust;
  robust.grown().loss = Loss::robust;
  Options scaled;
  scaled.grown().target_scale = TargetScale::square_root;
  Options paper = Options::paper();
  Options pairs = Options::paper();
  pairs.pair_choice = PairChoice::given;
  pairs.pairs = {{0, 1}};
  test::Rows positive = rows;
  for (double& y : positive.y) y = y * y + 1;
  for (const Options& options : {grown, robust, paper, pairs})
    corpus.add("model", to_bytes(fit(rows.source(), options, {{"a", "b"}, "y"})));
  corpus.add("model", to_bytes(fit(positive.source(), scaled, {{"a", "b"}, "y"})));
}

void add_tables(Corpus& corpus) {
  for (const bool paper : {false, true}) {
    const test::MadeUpModel made = test::made_up_model(paper, 120);
    corpus.add("model", table::to_bytes(made.fitted));
    ByteWriter encoding;
    table::write(encoding, made.fitted.encoding);
    corpus.add("encoding", encoding.bytes());
    for (const auto& pass : all_passes().passes)
      if (pass->facts().features == made.fitted.encoding.features.size())
        corpus.add("task", table::rows_task(made.fitted.encoding, *pass, 1));
    const GramPass gram({made.fitted.model.design}, GramBlocks::none);
    corpus.add("task", table::rows_task(made.fitted.encoding, gram, 1));
  }
}

void add_passes(Corpus& corpus) {
  const Passes made = all_passes();
  const test::Rows rows = rows_of(3);
  for (const auto& fit : made.fits) corpus.add("fit", fit->serialize());
  for (const auto& pass : made.passes) {
    corpus.add("task", pass->task());
    const std::unique_ptr<Pass> worker = pass_from_task(pass->task());
    worker->add(rows.block(), 1);
    corpus.add("result", worker->serialize());
  }
}

void add_accumulators(Corpus& corpus) {
  const test::Rows rows = rows_of(3);
  RangeAccumulator ranges(3, {"a", "b", "c"});
  ranges.add(rows.block());
  corpus.add("accumulators", ranges.serialize());
  RowSample sample(3, 8);
  sample.add(rows.block());
  sample.add(rows.block());
  corpus.add("accumulators", sample.serialize());
  for (const GramBlocks blocks : {GramBlocks::all, GramBlocks::diagonal, GramBlocks::none}) {
    GramAccumulator gram(all_passes().fits.front()->design(), blocks);
    gram.add(working_block(rows.block()), 1);
    corpus.add("accumulators", gram.serialize());
  }
  corpus.add("accumulators", all_passes().fits.front()->press(rows.block()).serialize());
}

/// Any bytes make a table here.
void add_arrow(Corpus& corpus) {
  for (int type = 0; type < 256; type += 5) {
    Bytes bytes(120);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>((i * 37 + 11) % 97);
    bytes[0] = std::byte{2};
    bytes[1] = std::byte{2};
    bytes[2] = static_cast<std::byte>(type);
    bytes[3] = static_cast<std::byte>(type + 3);
    corpus.add("arrow", bytes);
  }
}

}  // namespace
}  // namespace kore::fuzz

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: fuzz_seeds FOLDER\n", stderr);
    return 2;
  }
  kore::fuzz::Corpus corpus(arguments[1]);
  kore::fuzz::add_arrow(corpus);
  kore::fuzz::add_passes(corpus);
  kore::fuzz::add_accumulators(corpus);
  kore::fuzz::add_bare_models(corpus);
  kore::fuzz::add_tables(corpus);
  return 0;
}
