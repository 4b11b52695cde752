#pragma once

#include <string>

#include "kore/model.hpp"

namespace kore::story {

/// RMSE, MAE and R², or what a family has in their place.
std::string error_words(const Accuracy& accuracy);
/// Where the stated errors come from: "10 folds: ...".
std::string how_measured(const Accuracy& accuracy);

/// The headline: how far off predictions of new rows are, and where that is known from.
std::string accuracy_line(const FitSummary& summary);

/// The largest errors to both sides among the left-out rows. Empty where the model keeps errors in other
/// units than those of the target.
std::string largest_errors(const Model& model);

/// Leave-one-out with the terms and penalty weights of the model, under that name. Empty where the headline
/// is just that.
std::string error_given_model(const FitSummary& summary);

/// What the robust loss found about the rows; empty where the loss was the squared error.
std::string robust_note(const FitSummary& summary);

/// The mean of the target was chosen as the model.
bool is_constant(const FitSummary& summary);

/// A mean loss as it is shown: the root of squared errors, and deviances as they are; and its name.
std::string loss_text(const FitSummary& summary, double loss);
std::string loss_word(const FitSummary& summary);

/// A note about rows with the same features as another; empty where there are none.
std::string equal_rows_note(const FitSummary& summary);

/// What intervals of a level cannot promise: they need so many left-out rows, and the model has fewer. Empty
/// where there are enough.
std::string interval_warning(const Model& model, double level);

}  // namespace kore::story
