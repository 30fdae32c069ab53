# SPDX-License-Identifier: BSD-3-Clause
"""Reads the tables of OpenSHMEM's routines in src/shmem and expands their rows to one prototype for each routine.

src/shmem/api.h explains the rows. types.h has the families of types, arguments.h the results and lists of arguments.
"""

import re

ROW = re.compile(r"^SKERRY_(?P<kind>TYPED_PAIRS|TYPED_LIBRARY|TYPED_DECLARE|TYPED|SIZED_PAIRS|SIZED_LIBRARY|INLINE|LIBRARY|DECLARE)\(", re.M)


def arguments_of(text, begin):
    """Returns the arguments of the macro whose opening parenthesis is before `begin`."""
    arguments, depth, start = [], 0, begin
    for at in range(begin, len(text)):
        if text[at] in "({":
            depth += 1
        elif text[at] in ")}" and depth > 0:
            depth -= 1
        elif depth == 0 and text[at] in ",)":
            arguments.append(" ".join(text[start:at].split()))
            start = at + 1
            if text[at] == ")":
                return arguments
    raise ValueError(f"a row has no end: {text[begin:begin + 80]}")


class Table:
    def __init__(self, folder):
        """`folder`: the path of src/shmem."""
        types = (folder / "types.h").read_text(encoding="utf-8").replace("\\\n", " ")
        lists = (folder / "arguments.h").read_text(encoding="utf-8").replace("\\\n", " ")
        self.families = dict(re.findall(r"^#define SKERRY_EACH_(\w+)\(X, A, B, C, D\) (.*)$", types, re.M))
        self.arguments = dict(re.findall(r"^#define SKERRY_(\w+)_ARGUMENTS\(TYPE\) (.*)$", lists, re.M))
        self.results = dict(re.findall(r"^#define SKERRY_(\w+)\(TYPE\) (\w+)$", lists, re.M))

    def members(self, family):
        """Yields (part of the name, C type or size in bytes) of each member of a family."""
        for name, member, meant in re.findall(r"SKERRY_EACH_(\w+)\(|X\((\w+), ([\w ]+), A", self.families[family]):
            if name:
                yield from self.members(name)
            else:
                yield member, meant

    def list_of(self, name, c_type):
        return " ".join(re.sub(r"\bTYPE\b", c_type, self.arguments[name.removeprefix("SKERRY_")]).split())

    def routines(self, text):
        """Yields (result, name, arguments) of each routine that the rows in a header's text stand for."""
        for row in ROW.finditer(text):
            yield from self.expand(row["kind"], arguments_of(text, row.end()))

    def expand(self, kind, row):
        if kind.startswith("TYPED"):
            family, result, rest, arguments = row[:4]
            for member, c_type in self.members(family):
                returned = self.results[result.removeprefix("SKERRY_")].replace("TYPE", c_type)
                yield from forms(kind, returned, f"_{member}{rest}", self.list_of(arguments, c_type))
        elif kind.startswith("SIZED"):
            family, begin = row[:2]
            end = row[2] if kind == "SIZED_PAIRS" else ""
            for member, _ in self.members(family):
                yield from forms(kind, "void", f"{begin}{member}{end}", self.list_of(row[-2], "void"))
        else:
            result, name, arguments = row[:3]
            shared = re.fullmatch(r"\(SKERRY_(\w+)_ARGUMENTS\((\w+)\)\)", arguments)
            arguments = self.list_of(shared[1], shared[2]) if shared else arguments[1:-1]
            yield re.sub(r"^SKERRY_\w+ ", "", result), name, arguments.replace("* ", "*").replace("*const", "* const")


def forms(kind, result, rest, arguments):
    """Yields a routine, and for PAIRS also its form with a context."""
    yield result, f"shmem{rest}", arguments
    if kind.endswith("PAIRS"):
        yield result, f"shmem_ctx{rest}", f"shmem_ctx_t ctx, {arguments}"
