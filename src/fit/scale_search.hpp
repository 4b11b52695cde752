#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fit/growing_rows.hpp"
#include "fit/refereed.hpp"
#include "kore/fit.hpp"
#include "kore/options.hpp"

namespace kore {

/// Throws `invalid_data` where the target has values that the family, or a scale which was asked for, does
/// not have.
void check_target(const GrownOptions& method, const Survey& data, const Names& names);

/// The scales other than the identity that may compete for these rows: those that the target allows, and on
/// which it is not almost a straight line.
std::vector<TargetScale> rival_scales(const GrowingRows& identity);

/// Grows models, on one scale of the target or on those that compete, and lets the referee choose.
///
/// Where the caller leaves the scale open, the identity grows first. Rivals are compared with it by their
/// main effects and leave-one-out; the better one grows in full, unless it is clearly worse, and the other
/// one too where the identity is left behind. The referee repeats the growths that leave-one-out does not
/// tell clearly apart, and chooses. All errors are in the units of the target.
class Search {
 public:
  Search(SurveyedRows surveyed, const GrownOptions& method, const Options& options);

  /// Grows on the scale that was asked for, or else on the identity.
  void grow_simplest();
  /// The rest: rivals, and the referee. What follows is then that of the chosen scale.
  Refereed run();

  GrowingRows& rows() { return *attempts_[chosen_]->rows; }
  Growth& growth() { return attempts_[chosen_]->growth; }
  const GrowOptions& choices() const { return attempts_[chosen_]->choices; }
  /// How the model continues outside the range of its rows.
  Extrapolation outside() const { return outside_of(*attempts_[chosen_]); }
  /// Predictions stay near the targets.
  bool limited() const { return is_limited(outside()); }

 private:
  struct Attempt {
    std::unique_ptr<GrowingRows> rows;
    GrowOptions choices;
    Growth growth;
  };

  std::unique_ptr<Attempt> attempt_on(TargetScale scale) const;
  /// The response of a family of counts with the dispersion that is left around a fit; null where that is
  /// hardly less than before.
  std::shared_ptr<const Response> response_around(const GrowingData& data, const Stage& fitted) const;
  void grow_with_less_dispersion(Attempt& attempt);
  std::vector<std::unique_ptr<Attempt>> promising_rivals();
  Gain gain_by_leave_one_out(std::size_t from, std::size_t to) const;
  void add_rival(std::unique_ptr<Attempt> rival);
  Extrapolation outside_of(const Attempt& attempt) const;
  bool is_limited(Extrapolation outside) const;
  std::optional<UnseenPredictions> unseen_predictions_of(const Attempt& attempt) const;
  Refereed choose_by_referee();

  SurveyedRows surveyed_;
  const GrownOptions& method_;
  const Options& options_;
  std::vector<std::unique_ptr<Attempt>> attempts_;
  std::vector<std::size_t> competing_{0};  // attempts that the referee chooses between
  std::size_t chosen_ = 0;
  int screening_fits_ = 0;
};

}  // namespace kore
