#pragma once

#include <nlohmann/json.hpp>

#include "kore/fit.hpp"
#include "kore/table_model.hpp"

namespace kore::story {

using Json = nlohmann::ordered_json;

/// "number", "boolean", "date", "timestamp" or "category".
const char* kind_of(const table::EncodedColumn& column);

/// Numbers keep all their digits; one that is not finite is null.
Json number(double value);

/// The object of `kore fit --json` and `kore info --json` (see docs/command.md for the contract).
Json fit_json(const table::TableModel& model);
Json pilot_check_json(const PilotCheck& diagnostic);
/// The object of `kore diagnose --json`, without the keys that describe the table.
Json diagnosis_json(const Diagnosis& diagnosis);
Json selection_json(const Selection& selection);

}  // namespace kore::story
