#include "report/page.hpp"

#include "report/assets.hpp"

namespace kore::report {
namespace {

/// Writes blocks one after the other and numbers the charts, so that the script can match them.
class Writer {
 public:
  void operator()(const Paragraph& paragraph) { html += element("p", paragraph.text); }

  void operator()(const Notes& notes) {
    if (notes.items.empty()) return;
    html += "<ul class=\"notes\">\n";
    for (const std::string& item : notes.items) html += element("li", item);
    html += "</ul>\n";
  }

  void operator()(const DataTable& table) {
    const std::string caption = escaped(table.caption);
    if (table.folded) html += "<details><summary>" + caption + "</summary>\n";
    // Wide tables scroll in a frame of their own, which the keyboard must be able to reach.
    html += "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"" + caption + "\">\n<table>\n";
    html +=
        "<caption" + std::string(table.folded ? " class=\"unseen\"" : "") + ">" + caption + "</caption>\n";
    html += "<thead><tr>";
    // A heading without a word says nothing to those who hear the page.
    for (std::size_t c = 0; c < table.head.size(); ++c)
      html += table.head[c].empty()
                  ? "<td></td>"
                  : "<th scope=\"col\"" + alignment(table, c) + ">" + escaped(table.head[c]) + "</th>";
    html += "</tr></thead>\n<tbody>\n";
    for (const std::vector<Cell>& row : table.rows) {
      html += "<tr>";
      for (std::size_t c = 0; c < row.size(); ++c) html += cell(table, c, row[c]);
      html += "</tr>\n";
    }
    html += "</tbody>\n</table>\n</div>\n";
    if (table.folded) html += "</details>\n";
  }

  void operator()(const Figure& figure) {
    if (!figure.folded.empty())
      html += "<details class=\"fold\"><summary>" + escaped(figure.folded) + "</summary>\n";
    html += figure.searchable ? "<figure class=\"searchable\">\n" : "<figure>\n";
    if (!figure.title.empty()) html += element("h3", figure.title);
    html += "<div class=\"panels\">\n";
    for (const Panel& panel : figure.panels) add_panel(panel, figure.title.empty() ? "h3" : "h4");
    html +=
        "</div>\n" + (figure.caption.empty() ? "" : element("figcaption", figure.caption)) + "</figure>\n";
    if (!figure.folded.empty()) html += "</details>\n";
  }

  void operator()(const Tiles& tiles) {
    html += "<dl class=\"tiles\">\n";
    for (const Tile& tile : tiles.tiles)
      html += "<div>" + element("dt", tile.label) + element("dd", tile.value) +
              (tile.detail.empty() ? "" : element("dd class=\"detail\"", tile.detail, "dd")) + "</div>\n";
    html += "</dl>\n";
  }

  void operator()(const Callout& callout) {
    const char* tone = callout.tone == Tone::good ? "good" : callout.tone == Tone::bad ? "bad" : "plain";
    html += "<p class=\"callout " + std::string(tone) + "\">" + escaped(callout.text) + "</p>\n";
  }

  void operator()(const WhatIf&) { html += "<div id=\"what-if\"><p>This part needs JavaScript.</p></div>\n"; }

  std::string html;

 private:
  static std::string element(const std::string& opening, const std::string& text,
                             const std::string& closing) {
    return "<" + opening + ">" + escaped(text) + "</" + closing + ">\n";
  }
  static std::string element(const std::string& tag, const std::string& text) {
    return element(tag, text, tag);
  }

  static std::string alignment(const DataTable& table, std::size_t column) {
    return column < table.word_columns ? "" : " class=\"number\"";
  }

  static std::string cell(const DataTable& table, std::size_t column, const Cell& content) {
    std::string text = escaped(content.text);
    if (content.tone != Tone::plain)
      text = "<span class=\"" + std::string(content.tone == Tone::good ? "good" : "bad") + "\">" + text +
             "</span>";
    if (column == 0) return "<th scope=\"row\">" + text + "</th>";
    return "<td" + alignment(table, column) + ">" + text + "</td>";
  }

  void add_panel(const Panel& panel, const std::string& heading) {
    const std::string id = "chart-" + std::to_string(++charts_);
    Json spec = panel.spec;
    spec["description"] = panel.description;
    html += "<div class=\"panel\">\n";
    if (!panel.title.empty()) html += element(heading, panel.title);
    html += "<div class=\"chart\" id=\"" + id + "\" role=\"img\" aria-label=\"" + escaped(panel.description) +
            "\"></div>\n";
    html +=
        "<script type=\"application/json\" data-chart=\"" + id + "\">" + script_data(spec) + "</script>\n";
    if (!panel.note.empty()) html += element("p class=\"note\"", panel.note, "p");
    html += "</div>\n";
  }

  std::size_t charts_ = 0;
};

std::string script(std::string_view text) { return "<script>" + std::string(text) + "</script>\n"; }

std::string head(const Page& page) {
  // The policy makes the browser enforce that nothing is fetched and that text is never run as code.
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
         "'unsafe-inline'; "
         "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>" +
         escaped(page.title) + "</title>\n<style>\n" + std::string(page_style()) +
         "</style>\n</head>\n<body>\n";
}

std::string contents(const Page& page) {
  std::string html = page.search.empty() ? "<nav aria-label=\"Contents\"><ul>\n"
                                         : "<nav class=\"bar\" aria-label=\"Contents\"><ul>\n";
  for (const Section& section : page.sections)
    html += "<li><a href=\"#" + escaped(section.id) + "\">" +
            escaped(section.short_title.empty() ? section.title : section.short_title) + "</a></li>\n";
  html += "</ul>\n";
  if (!page.search.empty())
    html += "<div class=\"search\" role=\"search\"><input type=\"search\" id=\"search\" aria-label=\"" +
            escaped(page.search) + "\" placeholder=\"" + escaped(page.search) +
            "\" autocomplete=\"off\"><span id=\"found\" role=\"status\"></span></div>\n";
  return html + "</nav>\n";
}

std::string licences() {
  return "<footer><details><summary>Licences of the scripts in this page</summary>\n<pre>Vega\n" +
         escaped(vega_licence()) + "\n\nVega-Lite\n" + escaped(vega_lite_licence()) + "\n\nvega-embed\n" +
         escaped(vega_embed_licence()) + "</pre></details></footer>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  return result;
}

std::string script_data(const Json& json) {
  // Text that is not UTF-8 is replaced and not refused: a page with one wrong character is better than none.
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string result;
  for (const char c : text) result += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return result;
}

std::string to_html(const Page& page) {
  Writer writer;
  writer.html = head(page);
  writer.html += "<header><h1>" + escaped(page.title) + "</h1>\n";
  for (const Block& block : page.lead) std::visit(writer, block);
  writer.html += "</header>\n" + contents(page) + "<main>\n";
  for (const Section& section : page.sections) {
    writer.html += "<section id=\"" + escaped(section.id) + "\">\n<h2>" + escaped(section.title) + "</h2>\n";
    for (const Block& block : section.blocks) std::visit(writer, block);
    writer.html += "</section>\n";
  }
  writer.html += "</main>\n" + licences();
  if (!page.model.is_null())
    writer.html +=
        "<script type=\"application/json\" id=\"kore-model\">" + script_data(page.model) + "</script>\n";
  for (const std::string_view text : {vega_script(), vega_lite_script(), vega_embed_script(), page_script()})
    writer.html += script(text);
  if (!page.model.is_null()) writer.html += script(model_script()) + script(what_if_script());
  return writer.html + "</body>\n</html>\n";
}

}  // namespace kore::report
