#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench_paths.py BIN: skerry bench --machine epiphany-iii paths --plot draws each of Coduin's curves with each point of its tables."""
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

CORES = 16
CURVES = {
    "1": ["core reads", "core writes, burst", "core writes, no burst", "DMA reads", "DMA writes"],
    "2": ["core writes, burst", "core writes, no burst", "DMA writes"],
    "3": ["core reads", "DMA reads"],
    "4": ["core writes", "DMA writes"],
    "5": ["core writes", "DMA writes"],
}
AROUND_THE_KNEE = set(range(8, 161, 8))
SVG = "{http://www.w3.org/2000/svg}"


def fail(text):
    sys.exit(f"bench_paths: {text}")


def read_tables(report):
    """The sizes of each graph's table, and its columns."""
    tables = {}
    for number, body in re.findall(r"^### Graph (\d)\..*\n\n((?:\|.*\n)+)", report, re.MULTILINE):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in body.splitlines()]
        if any(cell == "" for row in rows for cell in row):
            fail(f"graph {number}: a cell is empty")
        tables[number] = ([re.sub(r" \(Coduin.*", "", name) for name in rows[0][1:]], [int(row[0]) for row in rows[2:]])
    return tables


def check_panel(panel, curves, points):
    title = panel.find(SVG + "title").text
    groups = {group.find(SVG + "title").text: group for group in panel.findall(SVG + "g")}
    if list(groups) != curves:
        fail(f"{title}: curves {list(groups)}")
    for name, group in groups.items():
        dots = len(group.findall(SVG + "circle"))
        if dots != CORES * points:
            fail(f"{title}: {name}: {dots} points, not {CORES} of each of {points} sizes")
        if not list(group.iter(SVG + "polyline")):
            fail(f"{title}: {name}: no line")


def check_statements(report):
    knee = re.search(r"the slope changes \| around 70 bytes \| (\d+) bytes", report)
    if not knee or not 60 <= int(knee[1]) <= 80:
        fail("the knee is not near 70 bytes")
    on_chip = re.search(r"^\| writes to a core \| \d+ \| (\d+) \| (\d+) \| 300 \|$", report, re.MULTILINE)
    if not on_chip or not int(on_chip[1]) < int(on_chip[2]) < 600:
        fail("no break-even of writes to a core")


def main():
    bench = [str(Path(sys.argv[1]) / "skerry"), "bench", "--machine"]
    with tempfile.TemporaryDirectory() as folder:
        plot = Path(folder) / "paths.svg"
        refused = subprocess.run([*bench, "epiphany-iii", "atomic", "--plot", plot], capture_output=True, text=True)
        if refused.returncode != 2 or "draws the graphs of the benchmark paths, for epiphany-iii only" not in refused.stderr or plot.exists():
            fail(f"a plot without Coduin's programs: {refused.stderr}")
        done = subprocess.run([*bench, "epiphany-iii", "paths", "--plot", plot], capture_output=True, text=True)
        if done.returncode != 0:
            fail(done.stderr)
        root = xml.parse(plot).getroot()
    tables = read_tables(done.stdout)
    if list(tables) != list(CURVES):
        fail(f"tables {list(tables)}")
    panels = {panel.find(SVG + "title").text: panel for panel in root.findall(SVG + "g")}
    for number, curves in CURVES.items():
        names, sizes = tables[number]
        if names != curves or sizes != sorted(sizes) or not AROUND_THE_KNEE <= set(sizes) or sizes[-1] != 2048:
            fail(f"graph {number}: {names}, {sizes}")
        panel = next((panel for title, panel in panels.items() if title.startswith(number + ". ")), None)
        if panel is None:
            fail(f"graph {number} is not drawn")
        check_panel(panel, curves, len(sizes))
    check_statements(done.stdout)


main()
