// Models on their way through bytes and files, whole and damaged.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/bytes.hpp"
#include "kore/fit.hpp"
#include "kore/statistics.hpp"
#include "model/format_versions.hpp"
#include "support/made_up_rows.hpp"
#include "support/mixed_design.hpp"
#include "support/refusal.hpp"

namespace kore {
namespace {

using test::made_up_rows;
using test::mixed_rows;
using test::refusal;
using test::Rows;
using Bytes = std::vector<std::byte>;

Bytes some_bytes(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

/// A model in which every optional part is present.
Model full_model() {
  Rows rows = made_up_rows(120, 3, 331);
  rows.weights = test::uneven_weights(rows.count, 332);
  Options options;
  options.pair_choice = PairChoice::given;
  options.pairs = {{0, 1}};
  options.kinds = {FeatureKind::spline, FeatureKind::spline, FeatureKind::linear};
  Model model = fit(rows.source(), options, {{"height", "", "größe"}, "price"});
  model.purified.reset();  // tests replace the design; decomposition_test.cpp has its bytes
  model.attachments["encoding"] = some_bytes({1, 2, 3, 0, 255});
  model.attachments["empty"] = {};
  model.attachments[""] = some_bytes({9});
  return model;
}

/// The smallest model there is, for tests that read it many times.
Model small_model() {
  Options options;
  options.degree = 1;
  options.intervals = false;
  const Rows rows = made_up_rows(12, 1, 333);
  return fit(rows.view(), rows.y, options);
}

/// A place for one test's file that is gone afterwards.
class Scratch {
 public:
  Scratch()
      : path_(std::filesystem::path(testing::TempDir()) /
              ("kore-file-test-" + std::to_string(::getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directory(path_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

Bytes content_of(const Bytes& sealed) {
  const auto content = open_sealed(sealed, "KORE", 2, "model").content;
  return {content.begin(), content.end()};
}

/// The sections of a model, changed by `edit` and sealed again, so that only their meaning is wrong.
template <class Edit>
Bytes with_sections(const Model& model, Edit&& edit) {
  const Bytes content = content_of(to_bytes(model));
  ByteReader in(content);
  std::vector<std::pair<std::string, Bytes>> sections;
  while (!in.at_end()) {
    std::string name = in.text();
    const auto own = in.section();
    sections.emplace_back(std::move(name), Bytes(own.begin(), own.end()));
  }
  edit(sections);
  ByteWriter out;
  for (const auto& [name, own] : sections) {
    out.text(name);
    out.section(own);
  }
  return seal("KORE", 2, out.bytes());
}

void expect_same(const Selection& ours, const Selection& theirs) {
  EXPECT_EQ(ours.resolution, theirs.resolution);
  EXPECT_EQ(ours.plug_in, theirs.plug_in);
  EXPECT_EQ(ours.loo, theirs.loo);
  EXPECT_EQ(ours.fits, theirs.fits);
  EXPECT_EQ(ours.pilots, theirs.pilots);
  EXPECT_EQ(ours.certificate, theirs.certificate);
  ASSERT_EQ(ours.curve.size(), theirs.curve.size());
  for (const auto& [g, score] : theirs.curve) EXPECT_EQ(ours.curve.at(g).loo, score.loo);
}

TEST(ModelBytes, ComeBackAsTheSameModel) {
  const Model model = full_model();
  const Bytes bytes = to_bytes(model);
  const Model back = model_from_bytes(bytes);
  EXPECT_TRUE(to_bytes(back) == bytes);
  EXPECT_EQ(back.target, "price");
  EXPECT_EQ(back.design.features()[2].name, "größe");
  EXPECT_EQ(back.design.features()[2].kind, FeatureKind::linear);
  EXPECT_EQ(back.extrapolation, model.extrapolation);
  EXPECT_EQ(back.coefficients, model.coefficients);
  EXPECT_EQ(back.attachments, model.attachments);
  EXPECT_EQ(back.residual_quantiles, model.residual_quantiles);
  EXPECT_EQ(back.summary.loo, model.summary.loo);
  EXPECT_EQ(back.summary.weight_sum, model.summary.weight_sum);
  EXPECT_EQ(back.summary.structure, model.summary.structure);
  EXPECT_EQ(back.summary.pairs, model.summary.pairs);
  EXPECT_EQ(back.summary.signal_score, model.summary.signal_score);
  EXPECT_EQ(back.summary.pilot_check->reason, model.summary.pilot_check->reason);
  expect_same(*back.summary.additive, *model.summary.additive);
  expect_same(*back.summary.pairwise, *model.summary.pairwise);
  Rows points = made_up_rows(500, 3, 334);
  for (double& value : points.x) value = 1.4 * value - 0.2;
  EXPECT_TRUE(predict(back, points.view()) == predict(model, points.view()));
  const double point[] = {0.3, 0.6};
  EXPECT_EQ(term_value(back, 0, std::span(point, 1)), term_value(model, 0, std::span(point, 1)));
  EXPECT_EQ(anova_constant(back), anova_constant(model));
}

TEST(ModelBytes, CarryHowTheModelWasSolvedFor) {
  Model model = small_model();
  model.summary.convergence = Convergence{false, 30, 1e-7, 1e-9, 2};
  const Convergence back = *model_from_bytes(to_bytes(model)).summary.convergence;
  EXPECT_FALSE(back.settled);
  EXPECT_EQ(back.steps, 30);
  EXPECT_EQ(back.raised_ridge, 1e-7);
  EXPECT_EQ(back.raised_weight_ridge, 1e-9);
  EXPECT_EQ(back.unsettled_rivals, 2);
}

TEST(ModelBytes, CarryWhatTheRobustLossFound) {
  Model model = small_model();
  EXPECT_FALSE(model_from_bytes(to_bytes(model)).summary.robust);
  model.summary.accuracy.emplace().gross_errors = 7;
  EXPECT_EQ(model_from_bytes(to_bytes(model)).summary.accuracy->gross_errors, 7U);
  model.summary.robust = RobustFit{0.5, 100, 3, 0.9, false};
  const FitSummary read = model_from_bytes(to_bytes(model)).summary;
  ASSERT_TRUE(read.robust);
  EXPECT_EQ(read.robust->scale, 0.5);
  EXPECT_EQ(read.robust->rows, 100U);
  EXPECT_EQ(read.robust->discounted, 3U);
  EXPECT_EQ(read.robust->r2, 0.9);
  EXPECT_FALSE(read.robust->settled);
  for (const RobustFit& impossible : {RobustFit{0, 100, 3}, RobustFit{1, 2, 3}}) {
    model.summary.robust = impossible;
    const Bytes bytes = to_bytes(model);
    refusal(ErrorCode::corrupt_file, [&] { model_from_bytes(bytes); });
  }
}

TEST(ModelBytes, CarryTermsOfEveryOrderAndEveryExtrapolation) {
  Model model = full_model();
  model.design = test::mixed_design(4);
  test::Uniform uniform(335);
  model.coefficients.resize(model.design.raw_columns());
  for (double& c : model.coefficients) c = uniform();
  model.effects.assign(model.design.terms().size(), {1, 2, 3, 4});
  model.widening_rates.assign(model.design.features().size(), 0.5);
  model.penalty_weights.clear();  // those of the other design
  const Rows points = mixed_rows(50, 336);
  for (const Extrapolation mode : {Extrapolation::continue_polynomial, Extrapolation::linear,
                                   Extrapolation::constant, Extrapolation::error}) {
    model.extrapolation = mode;
    const Model back = model_from_bytes(to_bytes(model));
    EXPECT_EQ(back.extrapolation, mode);
    EXPECT_EQ(back.effects[6].covariance_share, 4);
    EXPECT_TRUE(predict(back, points.view()) == predict(model, points.view()));
  }
}

TEST(ModelBytes, CarryLevelsAndWarps) {
  Model model = full_model();
  const Warp warp{{-1, 0.5, 3}, {0, 0.75, 1}};
  model.design = Design({{"x", {-1, 3}, FeatureKind::spline, 0, warp},
                         {"line", {-1, 3}, FeatureKind::linear, 0, warp},
                         {"colour", {0, 3}, FeatureKind::category, 4}},
                        {{{0}, {2}}, {{1, 2}, {1, 1}}}, 3, Parametrisation::centred);
  model.coefficients.assign(model.design.raw_columns(), 1);
  model.effects.assign(2, {});
  model.penalty_weights.clear();
  const std::vector<Feature> back = model_from_bytes(to_bytes(model)).design.features();
  ASSERT_EQ(back.size(), 3U);
  for (const std::size_t j : {0U, 1U}) {
    EXPECT_EQ(back[j].warp.nodes, warp.nodes);
    EXPECT_EQ(back[j].warp.values, warp.values);
    EXPECT_EQ(back[j].range.highest, 3);
  }
  EXPECT_EQ(back[1].kind, FeatureKind::linear);
  EXPECT_EQ(back[2].kind, FeatureKind::category);
  EXPECT_EQ(back[2].levels, 4);
  EXPECT_TRUE(back[2].warp.identity());
}

TEST(ModelBytes, OfTheFirstVersionAreRead) {
  // Written before features could be categories or have warps, with what it predicted then.
  const Model model = load_model(std::string(KORE_TEST_DATA) + "/model_version_1.kore");
  EXPECT_EQ(model.target, "price");
  ASSERT_EQ(model.design.features().size(), 3U);
  EXPECT_EQ(model.design.features()[0].name, "height");
  EXPECT_EQ(model.design.features()[1].kind, FeatureKind::spline);
  EXPECT_EQ(model.design.features()[2].kind, FeatureKind::linear);
  for (const Feature& feature : model.design.features()) EXPECT_TRUE(feature.warp.identity());
  EXPECT_EQ(model.design.terms().back().features, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(model.residual_quantiles, (std::vector<double>{-0.25, 0, 0.25}));
  EXPECT_EQ(model.attachments.at("encoding"), some_bytes({1, 2, 255}));
  EXPECT_FALSE(model.summary.convergence) << "it was not told then";
  const std::vector<double> points{0.25, 0.5, 0.75, 1.5, -0.5, 0.25};
  const std::vector<double> predicted = predict(model, MatrixView::row_major(points, 2, 3));
  EXPECT_NEAR(predicted[0], 3.1986363567113978, 1e-14);
  EXPECT_NEAR(predicted[1], -0.73087341504036452, 1e-14);
  EXPECT_TRUE(to_bytes(model_from_bytes(to_bytes(model))) == to_bytes(model));
}

TEST(ModelBytes, WithUnknownSectionsAreRead) {
  const Model model = full_model();
  const Bytes bytes = with_sections(model, [](auto& sections) {
    sections.insert(sections.begin(), {"a later invention", some_bytes({1, 2, 3})});
    sections.emplace_back("another", Bytes(5000, std::byte{7}));
  });
  const Model back = model_from_bytes(bytes);
  EXPECT_TRUE(to_bytes(back) == to_bytes(model));
}

TEST(ModelBytes, WithMoreAtTheEndOfASectionAreRead) {
  const Model model = full_model();
  const Bytes bytes = with_sections(model, [](auto& sections) {
    for (auto& [name, own] : sections)
      if (!name.starts_with("attachment:")) own.push_back(std::byte{42});
  });
  EXPECT_TRUE(to_bytes(model_from_bytes(bytes)) == to_bytes(model));
}

TEST(ModelBytes, WithoutAPartAreRefused) {
  for (const std::string part : {"design", "function", "effects", "summary"}) {
    const Bytes bytes = with_sections(small_model(), [&](auto& sections) {
      std::erase_if(sections, [&](const auto& section) { return section.first == part; });
    });
    EXPECT_EQ(refusal(ErrorCode::corrupt_file, [&] { model_from_bytes(bytes); }),
              "The KORE model lacks its section '" + part + "'.");
  }
}

TEST(ModelBytes, WithCoefficientsOfAnotherDesignAreRefused) {
  Model model = small_model();
  model.coefficients.push_back(0);
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, [&] { model_from_bytes(to_bytes(model)); }),
            "The KORE model is inconsistent: its coefficients do not belong to its design.");
  model = small_model();
  model.effects.pop_back();
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, [&] { model_from_bytes(to_bytes(model)); }),
            "The KORE model is inconsistent: its coefficients do not belong to its design.");
}

TEST(ModelBytes, WithAnImpossibleDesignAreRefused) {
  const Bytes bytes =
      with_sections(small_model(), [](auto& sections) { sections[0].second[0] = std::byte{8}; });
  EXPECT_EQ(
      refusal(ErrorCode::corrupt_file, [&] { model_from_bytes(bytes); }),
      "The KORE model holds an impossible design. The spline degree is 8; it must lie between 1 and 7.");
}

TEST(ModelBytes, WithAChoiceThatDoesNotExistAreRefused) {
  const Bytes bytes =
      with_sections(small_model(), [](auto& sections) { sections[1].second[0] = std::byte{4}; });
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, [&] { model_from_bytes(bytes); }),
            "The KORE model holds a choice that does not exist.");
}

TEST(ModelBytes, CutOffAnywhereAreRefused) {
  const Bytes bytes = to_bytes(small_model());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string sentence =
        refusal(ErrorCode::corrupt_file, [&] { model_from_bytes(std::span(bytes).first(length)); });
    ASSERT_EQ(sentence, length < 4 ? "This is not a KORE model." : "The KORE model is truncated.") << length;
  }
}

TEST(ModelBytes, WithAFlippedBitAreRefused) {
  const Bytes bytes = to_bytes(small_model());
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int bit : {0, static_cast<int>(at % 8)}) {
      Bytes flipped = bytes;
      flipped[at] ^= static_cast<std::byte>(1 << bit);
      try {
        model_from_bytes(flipped);
        FAIL() << "bit " << bit << " of byte " << at;
      } catch (const Error& error) {
        // A changed version is that of a newer file, or in byte 4 that of a model on another scale; the
        // checksum it names in byte 5 may also be an older one.
        const bool newer = at >= 4 && at < 8 && error.reason() != "damaged_file";
        ASSERT_EQ(error.code(), newer ? ErrorCode::unsupported_version : ErrorCode::corrupt_file)
            << "byte " << at << ": " << error.what();
        EXPECT_TRUE(at == 4 || at == 5 || newer == (at >= 4 && at < 8)) << "byte " << at;
      }
    }
}

TEST(ModelBytes, WithAChangedByteUnderAValidSealNeverDoHarm) {
  // As a hostile writer would: the envelope is whole, its content is not. Anything but a refusal must be a
  // model that can be used without reading where it should not.
  const Model model = small_model();
  const Bytes content = content_of(to_bytes(model));
  const Rows points = made_up_rows(3, 1, 337);
  int refused = 0;
  for (std::size_t at = 0; at < content.size(); ++at)
    for (const int value : {0, 1, 127, 255}) {
      Bytes changed = content;
      changed[at] = static_cast<std::byte>(value);
      try {
        const Model back = model_from_bytes(seal("KORE", 2, changed));
        predict(back, points.view());
      } catch (const Error&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 100);
}

TEST(ModelBytes, OfANewerVersionAreRefused) {
  const Bytes bytes = seal("KORE", format_version + 1, content_of(to_bytes(small_model())));
  const std::string says = "The KORE model was written by a newer version (format ";
  EXPECT_EQ(refusal(ErrorCode::unsupported_version, [&] { model_from_bytes(bytes); }).find(says), 0U);
}

TEST(ModelBytes, OfSomethingElseAreRefused) {
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, [] { model_from_bytes(PressSums{}.serialize()); }),
            "This is not a KORE model.");
}

TEST(ModelFile, GivesTheSameBytesAndPredictions) {
  const Scratch scratch;
  const Model model = full_model();
  const auto path = scratch / "modèle.kore";
  save(model, path);
  EXPECT_EQ(std::filesystem::file_size(path), to_bytes(model).size());
  const Model back = load_model(path);
  EXPECT_TRUE(to_bytes(back) == to_bytes(model));
  const Rows points = made_up_rows(100, 3, 338);
  EXPECT_TRUE(predict(back, points.view()) == predict(model, points.view()));
  save(small_model(), path);  // over an old one
  EXPECT_TRUE(to_bytes(load_model(path)) == to_bytes(small_model()));
}

TEST(ModelFile, ThatIsNoModelIsRefused) {
  const Scratch scratch;
  std::ofstream(scratch / "notes.txt") << "a,b,c\n1,2,3\n";
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, [&] { load_model(scratch / "notes.txt"); }),
            "This is not a KORE model.");
  std::ofstream(scratch / "empty").flush();
  EXPECT_EQ(refusal(ErrorCode::corrupt_file, [&] { load_model(scratch / "empty"); }),
            "This is not a KORE model.");
}

TEST(ModelFile, ThatDoesNotExistIsRefused) {
  const Scratch scratch;
  const auto path = scratch / "missing.kore";
  EXPECT_EQ(refusal(ErrorCode::io, [&] { load_model(path); }),
            "Cannot read '" + path.string() + "': No such file or directory.");
}

TEST(ModelFile, CannotBeSavedWhereThereIsNoFolder) {
  const Scratch scratch;
  const auto path = scratch / "nowhere" / "model.kore";
  EXPECT_EQ(refusal(ErrorCode::io, [&] { save(small_model(), path); }),
            "Cannot write '" + path.string() + "': No such file or directory.");
  std::ofstream(scratch / "file").flush();
  EXPECT_EQ(refusal(ErrorCode::io, [&] { save(small_model(), scratch / "file" / "model.kore"); }),
            "Cannot write '" + (scratch / "file" / "model.kore").string() + "': Not a directory.");
}

TEST(ModelFile, ThatCannotReplaceAFolderLeavesNothingBehind) {
  const Scratch scratch;
  const auto folder = scratch / "folder";
  std::filesystem::create_directories(folder / "inside");
  EXPECT_THROW(save(small_model(), folder), Error);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.parent_path()), {}), 1);
  EXPECT_TRUE(std::filesystem::exists(folder / "inside"));
}

}  // namespace
}  // namespace kore
