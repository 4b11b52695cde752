#include "bindings/explanation.hpp"

#include <nanobind/stl/string.h>

#include "base/parallel.hpp"
#include "bindings/words.hpp"
#include "story/explanation.hpp"
#include "table/encode_frame.hpp"

namespace kore::python {

std::pair<ExplainedColumns, std::vector<std::string>> explain_frame(const table::TableModel& fitted,
                                                                    const table::Frame& frame, bool raw,
                                                                    int threads) {
  std::vector<std::string> warnings;
  std::vector<std::string> names;
  Explanation explained;
  {
    const nb::gil_scoped_release unlocked;
    const Decomposition shown = raw ? as_fitted(fitted.model) : decomposition(fitted.model);
    const table::EncodedFrame encoded = table::encode(frame, fitted.encoding);
    explained = explain(fitted.model, shown, encoded.x, resolve_threads(threads));
    names = story::explanation_columns(shown);
    for (const Message& warning : table::encode_warnings(fitted.encoding, encoded.counts))
      warnings.push_back(worded(warning));
  }
  std::vector<std::vector<double>> values{std::move(explained.predictions), std::move(explained.sums),
                                          std::vector<double>(frame.rows, explained.constant)};
  for (std::vector<double>& column : explained.contributions) values.push_back(std::move(column));
  ExplainedColumns columns;
  for (std::size_t i = 0; i < names.size(); ++i)
    columns.append(nb::make_tuple(names[i], to_numpy(std::move(values[i]))));
  return {std::move(columns), std::move(warnings)};
}

std::vector<std::vector<std::string>> effect_columns(const table::TableModel& fitted) {
  std::vector<std::vector<std::string>> names;
  for (const ShownTerm& term : decomposition(fitted.model).terms) {
    names.emplace_back();
    for (const std::size_t j : term.features)
      names.back().push_back(fitted.encoding.columns[fitted.encoding.features[j].column].name);
  }
  return names;
}

std::vector<std::pair<std::string, double>> column_shares(const table::TableModel& fitted) {
  const std::vector<double> shares = story::column_shares(fitted, decomposition(fitted.model));
  std::vector<std::pair<std::string, double>> named;
  for (std::size_t c = 0; c < shares.size(); ++c)
    named.emplace_back(fitted.encoding.columns[c].name, shares[c]);
  return named;
}

}  // namespace kore::python
