#include "story/comparison.hpp"

namespace kore::story {

Json comparison_json(const std::vector<ComparedMethod>& table) {
  Json json = Json::array();
  for (const ComparedMethod& row : table)
    json.push_back({{"method", row.method},
                    {"structure", to_string(row.structure)},
                    {"G", row.resolution},
                    {"fits", row.fits},
                    {"seconds", number(row.seconds)},
                    {"score", number(row.score)},
                    {"score_meaning", row.meaning}});
  return json;
}

}  // namespace kore::story
