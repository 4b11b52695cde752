"""The findings as a page of Markdown and as one HTML file with charts.

Usage: python page.py FOLDER --markdown FILE --html FILE --vega FOLDER [--data FOLDER]
"""

import argparse
import html
import json
import os
import platform
from pathlib import Path

from summary import Findings
from tables import Table, all_tables
from workloads import all_workloads

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2433 }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
td, th { border-bottom: 1px solid #d8dde6; padding: .3rem .6rem; text-align: left }
.wide { overflow-x: auto }
"""


def machine() -> str:
    known = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in known if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores ({models[0] if models else platform.processor()}), {memory:.0f} GiB, Linux"


def markdown(findings: Findings, data: Path) -> str:
    parts = [
        "# Benchmarks",
        f"The last run of `make bench`, on {machine()}. Seconds depend on the machine; the project claims only ratios\n"
        "within one run. [performance.md](performance.md) explains the speed. Every contender ran in a process of its\n"
        "own with two threads; libraries were imported and warmed up before the clock started. Seconds are those of\n"
        "`fit`, including any selection that the contender does. The boosters ran untuned with 100 trees, and where\n"
        "nothing is given also tuned: six settings, early stopping, the search included in the seconds.",
    ]
    for table in all_tables(findings, data):
        lines = ["| " + " | ".join(row) + " |" for row in (table.head, ["---"] * len(table.head), *table.rows)]
        parts.append(f"## {table.title}\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def chart(findings: Findings, workload: str) -> dict:
    """Seconds against test error, both on logarithmic scales: the lower left corner is where to be."""
    values = [
        {"contender": c.contender, "seconds": c.fit, "rmse": c.rmse, "kore": c.contender.startswith("KORE")}
        for c in findings.cells
        if c.workload == workload and c.runs
    ]
    axes = {"x": {"field": "seconds", "title": "seconds of fit"}, "y": {"field": "rmse", "title": "test RMSE"}}
    encoding = {name: axis | {"type": "quantitative", "scale": {"type": "log"}} for name, axis in axes.items()}
    colour = {"field": "kore", "type": "nominal", "legend": None, "scale": {"range": ["#8a94a6", "#0b6e99"]}}
    tooltip = [{"field": "contender"}, {"field": "seconds"}, {"field": "rmse"}]
    point = {"type": "point", "filled": True, "size": 90}
    return {
        "data": {"values": values},
        "width": 560,
        "height": 320,
        "encoding": encoding,
        "layer": [
            {"mark": point, "encoding": {"color": colour, "tooltip": tooltip}},
            {"mark": {"type": "text", "align": "left", "dx": 8}, "encoding": {"text": {"field": "contender"}}},
        ],
    }


def chart_html(findings: Findings, workload: str, title: str, number: int) -> str:
    spec = json.dumps(chart(findings, workload)).replace("<", "\\u003c")
    label = html.escape(f"Seconds and test error of each contender: {title}")
    return (
        f'<h2>{html.escape(title)}</h2><div id="chart-{number}" role="img" aria-label="{label}"></div>'
        f'<script>vegaEmbed("#chart-{number}", {spec}, {{actions: false}})</script>'
    )


def table_html(table: Table) -> str:
    head = "".join(f'<th scope="col">{html.escape(text)}</th>' for text in table.head)
    rows = ["".join(f"<td>{html.escape(text)}</td>" for text in row) for row in table.rows]
    body = "".join(f"<tr>{row}</tr>" for row in (head, *rows))
    title = html.escape(table.title.replace("`", ""))
    return f'<h2>{title}</h2><div class="wide" tabindex="0"><table>{body}</table></div>'


def page(findings: Findings, data: Path, vega: Path) -> str:
    names = ("vega.min.js", "vega-lite.min.js", "vega-embed.min.js")
    scripts = "".join(f"<script>{(vega / name).read_text()}</script>" for name in names)
    measured = {cell.workload for cell in findings.cells if cell.runs}
    shown = [workload for workload in all_workloads(data) if workload.name in measured]
    body = [f"<h1>KORE beside its peers</h1><p>One run of <code>make bench</code> on {html.escape(machine())}.</p>"]
    body += [chart_html(findings, workload.name, workload.title, number) for number, workload in enumerate(shown)]
    body += [table_html(table) for table in all_tables(findings, data)]
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>KORE benchmarks</title>'
    return (
        f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style>{scripts}</head>'
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--markdown", type=Path, required=True)
    parser.add_argument("--html", type=Path, required=True)
    parser.add_argument("--vega", type=Path, required=True)
    options = parser.parse_args()
    findings = Findings(options.folder)
    options.markdown.write_text(markdown(findings, options.data))
    options.html.write_text(page(findings, options.data, options.vega))
    for target in findings.targets():
        print(f"{'met   ' if target.met else 'MISSED'} {target.what}: {target.reached} (wanted: {target.wanted})")


if __name__ == "__main__":
    main()
