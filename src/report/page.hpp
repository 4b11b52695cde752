#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Pages of text, tables and charts as one HTML file that needs no other file. Callers give plain data; all
/// text is escaped here, so that it cannot become markup or script.
namespace kore::report {

using Json = nlohmann::json;

/// What a cell of a table says besides its text; shown by colour and by a mark, never by colour alone.
enum class Tone { plain, good, bad };

struct Cell {
  Cell(std::string words, Tone shown = Tone::plain) : text(std::move(words)), tone(shown) {}
  Cell(const char* words) : text(words) {}

  std::string text;
  Tone tone = Tone::plain;
};

struct DataTable {
  std::string caption;
  std::vector<std::string> head;
  std::vector<std::vector<Cell>> rows;  ///< The first cell of each names the row.
  std::size_t word_columns = 1;         ///< So many columns hold words, the others numbers.
  bool folded = false;                  ///< Folded until the reader opens it.
};

struct Paragraph {
  std::string text;
};

struct Notes {
  std::vector<std::string> items;
};

/// One chart, given in Vega-Lite without its theme.
struct Panel {
  std::string title;
  std::string description;  ///< For those who cannot see it.
  Json spec;
  std::string note = {};  ///< Below the chart.
};

/// Panels side by side where there is room, one below the other where there is not.
struct Figure {
  std::string title;
  std::string caption;
  std::vector<Panel> panels;
  bool searchable = false;  ///< The page's search shows the panels whose title has the words.
  /// If not empty: folded under these words until the reader opens it.
  std::string folded = {};
};

/// A number that is seen first, with its name and what it means.
struct Tile {
  std::string label;
  std::string value;
  std::string detail;
};
struct Tiles {
  std::vector<Tile> tiles;
};

/// A sentence that stands out.
struct Callout {
  std::string text;
  Tone tone = Tone::plain;
};

/// Where the page's model can be tried: controls for its columns, the prediction and what it is made of.
struct WhatIf {};

using Block = std::variant<Paragraph, Notes, DataTable, Figure, Tiles, Callout, WhatIf>;

struct Section {
  std::string id;  ///< Names it in links; letters, digits and hyphens.
  std::string title;
  std::vector<Block> blocks;
  std::string short_title = {};  ///< In the contents, where the title is too long for them.
};

struct Page {
  std::string title;
  std::vector<Block> lead;
  std::vector<Section> sections;
  std::string search = {};  ///< What the search field asks for; empty: none. With it, contents stay in view.
  Json model = {};          ///< A model for machines and for `WhatIf`, as `model_json` writes it, or null.
};

std::string to_html(const Page& page);

/// Text escaped for use between tags and in attributes.
std::string escaped(std::string_view text);
/// JSON for use inside a script element: without any `<`, which could end it.
std::string script_data(const Json& json);

}  // namespace kore::report
