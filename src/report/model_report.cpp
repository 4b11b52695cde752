#include "report/model_report.hpp"

#include <span>

#include "base/atomic_file.hpp"
#include "report/model_json.hpp"
#include "report/sections/sections.hpp"

namespace kore::report {

Page model_page(const Subject& subject) {
  const Model& model = subject.fitted.model;
  const std::string target = model.target.empty() ? "the target" : model.target;
  Page page{"What predicts " + target, head(subject), {}, "Search features", model_json(subject)};
  // In the order of a reader's questions; how the model was found is an appendix.
  for (auto* make : {accuracy_section, calibration_section, diagnostics_section, importance_section,
                     effects_section, interactions_section, simplicity_section, what_if_section,
                     more_data_section, profile_section, resolution_section})
    if (Section section = make(subject); !section.blocks.empty()) page.sections.push_back(std::move(section));
  return page;
}

void write_report(const Subject& subject, const std::filesystem::path& path) {
  const std::string html = to_html(model_page(subject));
  write_atomically(path, std::as_bytes(std::span(html)));
}

}  // namespace kore::report
