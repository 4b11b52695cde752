#include "table/text_notes.hpp"

namespace kore::table {

Message texts_as_numbers_note(const std::string& column, const std::string& marker, std::uint64_t marked) {
  if (marked == 0)
    return {"texts_are_numbers",
            "Column '{column}' is text, but all of its values are numbers and are read as such.",
            {{"column", column}}};
  return {"markers_are_missing",
          marked == 1
              ? "Column '{column}' has '{marker}' in {rows} row where others have numbers; that counts as "
                "missing."
              : "Column '{column}' has '{marker}' in {rows} rows where others have numbers; that counts as "
                "missing.",
          {{"column", column}, {"marker", marker}, {"rows", marked}}};
}

}  // namespace kore::table
