#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fit/survey.hpp"
#include "grow/grow.hpp"
#include "grow/own_rows.hpp"
#include "pass/shifted_source.hpp"

namespace kore {

/// What the first pass of the default method finds: the survey, and the rows that decide on the structure.
struct SurveyedRows {
  Survey data;
  std::optional<RowBlock> own;  ///< The caller's arrays, where they are few enough,
  /// or a sample of all rows, twice as large as what decides: the other half judges.
  std::optional<RowSample> sample;

  bool constant_target() const { return data.target.lowest == data.target.highest; }
};
SurveyedRows survey_for_growth(const RowSource& source, const GrownOptions& method, const Options& options,
                               const Names& names);

/// The rows that decide on the structure, with the target on a scale `g`, shifted and divided to a mean of
/// about zero and a deviation of about one. Rows with the same features are merged into one that counts as
/// often, if they are exceptions. Throws for ranges and levels that no design can have.
class GrowingRows {
 public:
  GrowingRows(SurveyedRows surveyed, const GrownOptions& method, const Options& options,
              TargetScale scale = TargetScale::identity);
  GrowingRows(const GrowingRows&) = delete;
  GrowingRows& operator=(const GrowingRows&) = delete;

  const Survey& data() const { return data_; }
  const GrowingData& growing() const { return growing_; }
  /// The rows that decide before equal ones were merged, with the scaled target.
  const RowBlock& deciding() const { return deciding_; }
  /// For each deciding row, its place in the rows of `growing()`.
  const std::vector<std::size_t>& merged_into() const { return merged_into_; }
  /// How many deciding rows have the same features as an earlier one.
  std::size_t equal_rows() const { return stacked_rows_ + deciding_.rows() - growing_.rows.rows(); }
  /// Rows have groups.
  bool grouped() const { return !deciding_.groups.empty(); }
  /// Where a sample decides: rows of the table that take no part, with the scaled target. Where there are
  /// groups, none of them is in a group of a deciding row; otherwise none has the same features as a deciding
  /// row, unless features take few values.
  const RowBlock& unseen() const { return unseen_; }
  /// Every row of the source decides, and not a sample.
  bool complete() const { return complete_; }
  bool nothing_varies() const;

  /// Makes deciding rows count so many times what they count at first, under the robust loss: factors from 0
  /// to 1, and the deviation of the noise in the present unit. Only `growing()` sees it; `deciding()` and
  /// `unseen()` keep their counts. The mean and the deviation of the target become those of what counts, and
  /// shift and unit of all rows follow them if `rescale`.
  void weigh(std::span<const double> factors, double noise_scale, bool rescale);
  /// Under the robust loss the deviation of the noise, in units of the growth; otherwise 0.
  double noise_scale() const { return noise_scale_; }
  /// The counts of the deciding rows in the fit.
  RowCounts fitted_counts() const {
    return fitted_counts_.empty() ? deciding_.weights : RowCounts(fitted_counts_);
  }
  /// Whether the factors of the robust loss did not change any more.
  bool settled() const { return settled_; }
  void set_noise(double scale, bool settled) {
    noise_scale_ = scale;
    settled_ = settled;
  }

  /// The distribution of the target around what the terms say.
  const Response& response() const { return *response_; }
  /// Shared with the fits that outlive these rows.
  const std::shared_ptr<const Response>& shared_response() const { return response_; }
  /// Whether the response has a link: then the target is neither shifted nor divided.
  bool linked() const { return !response_->fits_in_one_step(); }
  void set_response(std::shared_ptr<const Response> response);

  /// The target of the growth is `(g(target) - shift) / unit`.
  const TargetShift& target_shift() const { return shift_; }
  double shift() const { return shift_.shift; }
  double unit() const { return shift_.unit; }
  TargetScale scale() const { return shift_.scale; }
  /// What the target of the growth would be on the identity scale: errors that decide between scales and
  /// those that are stated are in this unit.
  const TargetShift& own_shift() const { return own_shift_; }
  /// The target in its own units, from that of the growth.
  double own_target(double grown) const { return from_scale(scale(), grown * unit() + shift()); }
  /// Mean and variance of `g(target)`, of all rows or, where there are too many, of the sample.
  double scaled_mean() const { return scaled_mean_; }
  double scaled_variance() const { return scaled_variance_; }

 private:
  void take_rows(std::optional<RowBlock> own, std::optional<RowSample> sample);
  void recompute_target_moments();
  void scale_target();
  void split_sample(std::size_t structure_rows);
  /// Which rows of the sample decide: about so many.
  std::vector<bool> deciding_units(std::size_t wanted) const;
  std::vector<bool> deciding_groups(std::size_t wanted) const;
  void unstack();
  void merge_rows(const RowBlock& rows);
  void follow_moments(const RowBlock& counted, bool rescale);

  Survey data_;
  std::shared_ptr<const Response> response_;
  bool complete_ = false;
  RowSample::Rows drawn_;
  std::vector<double> y_;
  RowBlock deciding_;
  RowBlock unseen_;
  std::optional<OwnRows> unstacked_;
  std::size_t stacked_rows_ = 0;  // left out, because the table was stacked
  std::optional<OwnRows> sampled_;
  std::optional<OwnRows> kept_apart_;
  std::optional<MergedRows> merged_;
  std::vector<std::size_t> merged_into_;
  TargetShift shift_;
  TargetShift own_shift_;
  double scaled_mean_ = 0;
  double scaled_variance_ = 0;
  std::vector<double> fitted_counts_;  // empty: those of the deciding rows
  double noise_scale_ = 0;
  bool settled_ = true;
  GrowingData growing_;
};

}  // namespace kore
