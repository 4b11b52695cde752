#pragma once

#include <optional>
#include <vector>

#include "fit/survey.hpp"
#include "grow/grow.hpp"

namespace kore {

/// What the first pass of the default method finds: the survey, and the rows that decide on the structure.
struct SurveyedRows {
  Survey data;
  std::optional<RowBlock> own;      ///< The caller's arrays, where they are few enough,
  std::optional<RowSample> sample;  ///< or a sample of all rows.

  bool constant_target() const { return data.target.lowest == data.target.highest; }
};
SurveyedRows survey_for_growth(const RowSource& source, const GrownOptions& method, const Options& options,
                               const Names& names);

/// The rows that decide on the structure, with the target shifted and scaled to a mean of about zero and a
/// deviation of about one. Throws for ranges and levels that no design can have.
class GrowingRows {
 public:
  GrowingRows(SurveyedRows surveyed, const GrownOptions& method, const Options& options);
  GrowingRows(const GrowingRows&) = delete;
  GrowingRows& operator=(const GrowingRows&) = delete;

  const Survey& data() const { return data_; }
  const GrowingData& growing() const { return growing_; }
  /// Every row of the source decides, and not a sample.
  bool complete() const { return complete_; }
  bool nothing_varies() const;

  /// The target of the growth is `(target - shift) / unit`.
  double shift() const { return shift_; }
  double unit() const { return unit_; }

 private:
  void take_rows(std::optional<RowBlock> own, std::optional<RowSample> sample);
  void recompute_target_moments();
  void scale_target();

  Survey data_;
  bool complete_ = false;
  RowSample::Rows drawn_;
  std::vector<double> y_;
  RowBlock rows_;
  double unit_ = 1;
  double shift_ = 0;
  GrowingData growing_;
};

}  // namespace kore
