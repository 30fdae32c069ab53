#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the tables of docs/design/openmp-chip.md with what the benchmarks print.

figures.py BIN PAGE TASKS FOLDER [--write]

BIN has oshcc, oshrun and skerry, TASKS is bench/chip/tasks.c, and FOLDER is for programs that are compiled. The simulated chips
take the same cycles in each run, but a change of the library or of a benchmark moves code, and polls then meet arrivals
at other times. So a figure of the page may be off by a few cycles, or by some percent (Expected below). With --write
the script writes the measured figures into the page.

The script finds a table by its head, and a row by its first cells. In a cell it compares the numbers one by one.
"""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

NUMBER = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?!\w)")

# Rows of the page, and of the table that `skerry bench` prints.
CONSTRUCTS = {
    "`parallel`": "`parallel`", "`for`, static": "`for`, static", "`barrier`": "`barrier`",
    "`critical`, with work in it (not counted)": "`critical`", "`critical`, one increment in it": "`critical`, an increment",
    "`omp_set_lock` in place of `critical`, with work": "a lock in place of `critical`",
    "`omp_set_lock`, a free lock of another core": "`omp_set_lock`, a free lock", "`omp_unset_lock`": "`omp_unset_lock`",
    "`atomic`, of an `int`": "`atomic`", "`parallel` with a `reduction`": "`parallel` with a `reduction`",
    "`single`, with its barrier": "`single`", "a task is made, of 64 empty ones": "a task is made",
    "such a task is made and ends": "a task is made and ends"}
VARIANTS = {
    "barrier, mutex (an input)": "barrier, mutex", "`for`, mutex": "for, mutex", "`critical`, mutex": "critical, mutex",
    "`atomic`, mutex": "atomic, mutex", "barrier, counter (an input)": "barrier, counter", "`for`, counter": "for, counter",
    "`parallel`: descriptor by a queue, end by a counter": "parallel, queue and counter",
    "by stores to a scratchpad, counter": "parallel, scratchpad and counter",
    "queue, scratchpad": "parallel, queue and scratchpad", "scratchpad, scratchpad": "parallel, scratchpad and scratchpad",
    "`critical`, queue": "critical, queue", "`atomic`, queue": "atomic, queue",
    "`parallel` with a `reduction`, queue": "reduction, queue", "the same, scratchpad": "reduction, scratchpad",
    "a task, queue of one reader": "a task, queue of one reader",
    "a task, queue of several readers": "a task, queue of several readers", "a task, locked scratchpad": "a task, locked scratchpad"}
# Rows of the table of tasks: the name in the result line of tasks.c, and the number of threads.
TASKS = {
    "512 tasks, 16 threads": ("tasks_flat", 16), "the tree, 1 thread": ("tasks_tree", 1), "the tree, 4 threads": ("tasks_tree", 4),
    "the tree, 16 threads": ("tasks_tree", 16), "a tree of 8191 tasks, 1 thread": ("tasks_large_tree", 1),
    "a tree of 8191 tasks, 16 threads": ("tasks_large_tree", 16), "the tree, 64 threads (`sarc-64`)": ("tasks_tree", 64),
    "a tree of 8191 tasks, 64 threads": ("tasks_large_tree", 64),
    "the tree by hand, without tasks, 16 threads": ("tree_by_hand", 16)}
TREE = 0.12  # a tree's time depends on which thread asks which one when


class Expected:
    """A number of the page: what was measured, and how much the page may differ: in the last digit, and relatively."""

    def __init__(self, value, digits=0, step=3, part=0.04):
        self.value, self.digits = float(value), digits
        self.allowed = max(step * 10**-digits, part * abs(self.value))

    def differs(self, text):
        return abs(float(text.replace(",", "")) - self.value) > self.allowed + 1e-9

    def text(self):
        return f"{self.value:.{self.digits}f}" if self.digits or self.value < 10000 else f"{self.value:,.0f}"


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


class Report:
    """The tables that `skerry bench --machine MACHINE openmp` prints."""

    def __init__(self, binaries, machine):
        run = subprocess.run([binaries / "skerry", "bench", "--machine", machine, "openmp"], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"skerry bench --machine {machine} openmp: {run.stderr}")
        self.tables, head = [], None
        for line in run.stdout.splitlines():
            if not line.startswith("|"):
                head = None
            elif head is None:
                head = cells_of(line)
                self.tables.append([])
            elif not line.startswith("| ---"):
                self.tables[-1].append(dict(zip(head, cells_of(line))))

    def cell(self, column, *keys):
        """The cell of a column in the row whose first cells are `keys`."""
        for table in self.tables:
            for row in table:
                if column in row and list(row.values())[:len(keys)] == list(keys):
                    return row[column]
        sys.exit(f"skerry bench prints no cell \"{column}\" in a row {keys}")


def measure_tasks(binaries, source, folder, machine, threads):
    """The result lines of tasks.c, as a dict."""
    program = folder / f"tasks.{machine}.{threads}.elf"
    subprocess.run([binaries / "oshcc", "--machine", machine, "-fopenmp", "-Os", source, "-o", program], check=True)
    out = subprocess.run([binaries / "oshrun", "--machine", machine, "--quiet", "-x", f"OMP_NUM_THREADS={threads}", program],
                         capture_output=True, text=True, check=True).stdout
    return {(words[1], int(words[2])): int(words[4]) for words in map(str.split, out.splitlines())}


class Page:
    """The figures that each table of the page should have. A method gets a row's cells and returns, for each cell to compare,
    the list of the expected numbers; None stands for a number that is not compared."""

    def __init__(self, reports, tasks):
        self.four, self.sixteen, self.sixty_four = reports
        self.tasks = tasks
        self.place = self.method = ""
        self.tables = {
            "| construct | 1 core | 2 | 3 | 4 | 16 | paper": self.constructs,
            "| construct | cores | OpenMP | by hand | ratio": self.by_hand,
            "| variant, 4 cores | cycles | paper | ratio": self.variants,
            "| arrays in | moved by | kernel | sarc-4": self.stream,
            "| integers | alone, cycles |": self.sort,
            "| program and threads | before | now |": self.programs}

    def report(self, cores):
        return self.four if cores <= 4 else self.sixteen if cores <= 16 else self.sixty_four

    def constructs(self, cells):
        row = CONSTRUCTS[cells[0]]
        wanted = {}
        for place, cores in enumerate((1, 2, 3, 4, 16), 1):
            wanted[place] = [Expected(self.report(cores).cell("1 core" if cores == 1 else f"{cores} cores", row))]
        return wanted

    def by_hand(self, cells):
        report, keys = self.report(int(cells[1])), (cells[0].replace("`", ""), cells[1])
        return {2: [Expected(report.cell("OpenMP", *keys))], 3: [Expected(report.cell("by hand", *keys))],
                4: [Expected(report.cell("ratio", *keys), 2)]}

    def variants(self, cells):
        row = VARIANTS[cells[0]]
        return {1: [Expected(self.four.cell("4 cores", row))], 3: [Expected(self.four.cell("ratio, 4", row), 2)]}

    def stream(self, cells):
        self.place = cells[0] or self.place
        self.method = cells[1].replace("`", "") or self.method
        wanted = {}
        for report, place in ((self.four, 4), (self.sixteen, 7)):
            keys = (self.place, cells[2], self.method)
            wanted[place] = [Expected(report.cell("cycles", *keys), 1, 5, 0.05)]
            wanted[place + 1] = [Expected(report.cell("model", *keys), 1)]
        return wanted

    def sort(self, cells):
        wanted = {1: [Expected(self.four.cell("alone, cycles", cells[0]))]}
        for place, cores in ((2, 2), (3, 4), (4, 16)):
            wanted[place] = [Expected(self.report(cores).cell(f"{cores} cores", cells[0]), 2)]
        return wanted

    def programs(self, cells):
        return {2: [Expected(self.tasks[TASKS[cells[0]]], 0, 3, TREE)]}


def compare(page, text, name, write):
    """Returns the lines of the page with the measured figures, and the number of figures that differ."""
    lines, wrong, table, seen = [], 0, None, set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            table = None
        elif table is None:
            head = next((head for head in page.tables if line.startswith(head)), None)
            table = page.tables.get(head, lambda cells: {})
            seen.add(head)
        elif not line.startswith("| ---"):
            cells = cells_of(line)
            expectations = table(cells)
            for place, wanted in expectations.items():
                found = list(NUMBER.finditer(cells[place]))
                if len(found) < len(wanted):
                    sys.exit(f"{name}:{number}: too few figures: {cells[place]}")
                for match, expected in reversed(list(zip(found, wanted))):
                    if not expected.differs(match.group()) and not write:
                        continue
                    if not write:
                        print(f"{name}:{number}: {match.group()} is {expected.text()} now: {line}", file=sys.stderr)
                        wrong += 1
                    cells[place] = cells[place][:match.start()] + expected.text() + cells[place][match.end():]
            if expectations:
                line = "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"
        lines.append(line)
    missing = set(page.tables) - seen
    if missing:
        sys.exit(f"{name} has no table with the head {sorted(missing)[0]}")
    return lines, wrong


def main():
    binaries, page, source, folder = (Path(argument) for argument in sys.argv[1:5])
    write = sys.argv[5:] == ["--write"]
    folder.mkdir(parents=True, exist_ok=True)
    tasks = {}
    with ThreadPoolExecutor(2) as pool:  # a chip's run is one process
        reports = pool.map(lambda machine: Report(binaries, machine), ("sarc-4", "sarc-16", "sarc-64"))
        programs = (("sarc-4", 1), ("sarc-4", 4), ("sarc-16", 16), ("sarc-64", 64))
        for results in pool.map(lambda program: measure_tasks(binaries, source, folder, *program), programs):
            tasks.update(results)
        reports = list(reports)
    lines, wrong = compare(Page(reports, tasks), page.read_text(encoding="utf-8"), page.name, write)
    if write:
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if wrong:
        sys.exit(f"{wrong} figures of {page.name} differ; run test/sarc/figures.py with --write, and correct the text")


main()
