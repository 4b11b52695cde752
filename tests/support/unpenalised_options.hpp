#pragma once

#include "kore/options.hpp"

namespace kore::test {

/// The published method with what else the default profile has: the same ridge and limits, a centred target
/// and centred columns, and a leave-one-out error however few the rows are.
inline Options unpenalised_options() {
  Options options;
  options.method = PublishedOptions{
      .score_unstable = true, .additive_parametrisation = Parametrisation::centred, .centre_target = true};
  return options;
}

/// The same options, fitted by the published method.
inline Options unpenalised(Options options) {
  options.method = unpenalised_options().method;
  return options;
}

}  // namespace kore::test
