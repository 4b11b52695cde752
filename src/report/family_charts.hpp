#pragma once

#include <string>
#include <vector>

#include "report/graded.hpp"
#include "report/page.hpp"

/// Charts of predictions beside observations, for families other than the normal one.
namespace kore::report {

/// The 95 % interval of the mean target of a tenth: Wilson's for shares of yes, the normal one for others.
struct MeanInterval {
  double lower = 0;
  double upper = 0;
};
MeanInterval mean_interval(const Tenth& tenth, bool shares);

/// The mean target of each tenth, with its interval, against the mean prediction; on the dashed line they are
/// equal. `what` names the mean.
Json calibration_chart(const std::vector<Tenth>& tenths, bool shares, const std::string& what);
/// Shares of yes and of no that are found as the threshold falls.
Json roc_chart(const std::vector<YesAndNo>& ranks);
/// The share of yes among the rows that are found, as more and more of all yes are.
Json precision_chart(const std::vector<YesAndNo>& ranks);
/// The share of the sum of all targets in the rows with the highest predictions. `what` names the sum.
Json gains_chart(const std::vector<Tenth>& tenths, const std::string& what);
/// Bars of observed counts and points of expected ones, on an axis of square roots, on which both are equally
/// uncertain everywhere.
Json rootogram(const std::vector<CountBin>& counts, const std::string& target);

}  // namespace kore::report
