#include "fuzz/seeds.hpp"

#include "base/bytes.hpp"
#include "fuzz/passes.hpp"
#include "kore/fit.hpp"
#include "kore/table_model.hpp"
#include "pass/gram_passes.hpp"
#include "report/made_up_model.hpp"
#include "stats/row_sample.hpp"
#include "support/family_rows.hpp"
#include "table/encoding_bytes.hpp"
#include "table/running_summary.hpp"
#include "table/table_task.hpp"
#include "table/training.hpp"

namespace kore::fuzz {
namespace {

using Seeds = std::map<std::string, std::vector<Bytes>>;

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// A bare model of each way to fit.
void add_bare_models(Seeds& seeds) {
  const test::Rows rows = test::made_up_rows(80, 2, 5, 0.1);
  Options grown;
  grown.pair_choice = PairChoice::given;
  grown.pairs = {{0, 1}};
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
  Options cyclic = grown;
  cyclic.grown().periods = {1, 0};
  for (const Options& options : {grown, robust, paper, pairs, cyclic})
    seeds["model"].push_back(to_bytes(fit(rows.source(), options, {{"a", "b"}, "y"})));
  seeds["model"].push_back(to_bytes(fit(positive.source(), scaled, {{"a", "b"}, "y"})));
}

void add_families(Seeds& seeds) {
  const table::Encoding encoding = encoding_of_numbers({"a", "b", "c"});
  for (const char* family : {"binomial", "poisson", "gamma", "negative_binomial"}) {
    const test::Rows rows = test::family_rows(family, 150, 3);
    Model model = fit(rows.source(), test::family_options(family), {{"a", "b", "c"}, "y"});
    table::TableModel fitted{std::move(model), encoding, {}};
    fitted.facts.origin = "made-up rows";
    fitted.facts.notes = {"A note."};
    fitted.facts.columns = {"a", "b", "c"};
    fitted.facts.structure = "auto";
    if (fitted.model.family == "binomial") fitted.facts.target_levels = {"no", "yes"};
    if (fitted.model.family == "poisson") fitted.facts.exposure = "days";
    if (fitted.model.family == "gamma") fitted.facts.words = {{"c", "no", "yes"}};
    seeds["model"].push_back(table::to_bytes(fitted));
  }
}

void add_classes(Seeds& seeds) {
  test::Rows rows = test::made_up_rows(150, 2, 31);
  for (std::size_t r = 0; r < rows.count; ++r) rows.y[r] = std::floor(2.99 * rows.at(r, 0));
  table::Preparation prepared;
  prepared.summary.target = "kind";
  prepared.summary.rows = rows.count;
  prepared.summary.target_levels = {"low", "middle", "high"};
  prepared.encoding = encoding_of_numbers({"a", "b"});
  Options options = test::family_options("binomial");
  options.structure = StructureChoice::additive;
  const table::ClassModel model = table::train_classes(prepared, rows.source(), options,
                                                       {"made-up rows", std::chrono::steady_clock::now(),
                                                        [](const Message& note) { return note.sentence(); }});
  seeds["classes"].push_back(to_bytes(model));
}

/// What the passes of a table send, in pieces: the summary's, the medians' and those of rows.
void add_table_passes(Seeds& seeds, const std::vector<Bytes>& tasks) {
  const table::Frame frame = frame_of_flats();
  const std::vector<double> y{1, 2, 3, 4, 5, 6};
  for (const Bytes& task : tasks) {
    seeds["task"].push_back(task);
    table::TableWork work(task);
    work.add({frame, y, {}, {}}, 1);
    seeds["result"].push_back(work.serialize());
  }
}

void add_tables(Seeds& seeds) {
  for (const bool paper : {false, true}) {
    const test::MadeUpModel made = test::made_up_model(paper, 120);
    seeds["model"].push_back(table::to_bytes(made.fitted));
    ByteWriter encoding;
    table::write(encoding, made.fitted.encoding);
    seeds["encoding"].push_back(encoding.bytes());
  }
  add_table_passes(seeds, table_tasks());
}

void add_passes(Seeds& seeds) {
  const Passes made = all_passes();
  const test::Rows rows = rows_of(3);
  for (const auto& fit : made.fits) seeds["fit"].push_back(fit->serialize());
  for (const auto& pass : made.passes) {
    seeds["task"].push_back(pass->task());
    const std::unique_ptr<Pass> worker = pass_from_task(pass->task());
    worker->add(rows.block(), 1);
    seeds["result"].push_back(worker->serialize());
  }
  std::vector<Bytes>& accumulators = seeds["accumulators"];
  RangeAccumulator ranges(3, {"a", "b", "c"});
  ranges.add(rows.block());
  accumulators.push_back(ranges.serialize());
  RowSample sample(3, 8);
  sample.add(rows.block());
  sample.add(rows.block());
  accumulators.push_back(sample.serialize());
  for (const GramBlocks blocks : {GramBlocks::all, GramBlocks::diagonal, GramBlocks::none}) {
    GramAccumulator gram(made.fits.front()->design(), blocks);
    gram.add(working_block(rows.block()), 1);
    accumulators.push_back(gram.serialize());
  }
  accumulators.push_back(made.fits.front()->press(rows.block()).serialize());
}

/// Any bytes make a table here.
void add_arrow(Seeds& seeds) {
  for (int type = 0; type < 256; type += 5) {
    Bytes bytes(120);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>((i * 37 + 11) % 97);
    bytes[0] = std::byte{2};
    bytes[1] = std::byte{2};
    bytes[2] = static_cast<std::byte>(type);
    bytes[3] = static_cast<std::byte>(type + 3);
    seeds["arrow"].push_back(bytes);
  }
}

void add_options(Seeds& seeds) {
  for (
      const char* json :
      {R"({"target":"y","features":["a","b"],"drop":[],"categorical":["a"],"profile":"default","structure":"auto",
"pairs":[["a","b"]],"max_order":2,"referee_folds":1,"scale":"auto","loss":"robust","degree":3,"threads":1,
"max_resolution_additive":8,"max_resolution_pairwise":4,"max_levels":5,"weights":"w","group":"g","origin":"here"})",
       R"({"target":"y","profile":"paper","pairs":"all","precision":"p"})",
       R"({"target":"y","cyclic":{"hour":24,"month":0},"max_resolutions":{"hour":12},"linear":["a"]})",
       R"({"interval":0.9,"terms":true,"outside":true,"threads":2})", "{}",
       R"({"to":"sql","dialect":"sqlite","table":"flats","keep":["id"],"name":"rent"})", R"({"to":"onnx"})"})
    seeds["options"].push_back(bytes_of(json));
}

void add_texts(Seeds& seeds) {
  const char* const tables[]{
      "y,group,weight,size,town,balcony\n1,a,1,20,Bonn,yes\n2,b,2,NA,Aachen,no\n3,c,1,31.5,,yes\n"
      "2.5,a,3,17,Bonn,no\n",
      "y,x\n1,0.5\n0,1e3\n1,-2\n",
      "kind,x,when,town\nyes,1,2010-02-03,Bonn\nno,2,2011-12-31,Aachen\nyes,4,,Bonn\n",
      "y;x;town\n1,5;2;Bonn\n2,5;3;Aachen\n3,0;4;Bonn\n",
      "y,when,x\n1,03/02/2010,1\n2,04/02/2010,2\n4,13/02/2010,3\n",
  };
  for (const char* text : tables)
    for (const char* target : {"texts", "table"}) seeds[target].push_back(bytes_of(text));
  for (const char* json :
       {"[{\"y\":1,\"x\":2,\"when\":\"2010-02-03\",\"town\":\"Bonn\"},{\"y\":2,\"x\":3.5}]",
        "{\"y\":1,\"x\":2}\n{\"y\":3,\"x\":null}\n{\"y\":4,\"x\":5}\n"})
    seeds["table"].push_back(bytes_of(json));
}

}  // namespace

std::map<std::string, std::vector<Bytes>> make_seeds() {
  Seeds seeds;
  add_arrow(seeds);
  add_options(seeds);
  add_texts(seeds);
  add_passes(seeds);
  add_bare_models(seeds);
  add_families(seeds);
  add_classes(seeds);
  add_tables(seeds);
  return seeds;
}

}  // namespace kore::fuzz
