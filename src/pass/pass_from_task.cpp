#include "kore/pass.hpp"

#include "base/memory.hpp"
#include "pass/dense_pass.hpp"
#include "pass/format.hpp"
#include "pass/gram_passes.hpp"
#include "pass/press_passes.hpp"
#include "pass/shifted_source.hpp"
#include "pass/survey_passes.hpp"
#include "pass/weighed_source.hpp"

namespace kore {

std::unique_ptr<Pass> pass_from_task(std::span<const std::byte> task,
                                     std::optional<std::uint64_t> most_bytes) {
  const std::uint64_t most = most_bytes ? *most_bytes : available_memory();
  auto [kind, content] = open_task(task);
  switch (kind) {
    case PassKind::survey:
      return SurveyPass::read(content);
    case PassKind::equal_features:
      return EqualFeaturesPass::read(content);
    case PassKind::gram:
      return GramPass::read(content, most);
    case PassKind::residual_gram:
      return ResidualGramPass::read(content, most);
    case PassKind::dense_products:
      return DensePass::read(content, most);
    case PassKind::press:
      return PressPass::read(content);
    case PassKind::shifted:
      return ShiftedPass::read(content, most);
    case PassKind::weighed:
      return WeighedPass::read(content, most);
  }
  refuse_task();
}

}  // namespace kore
