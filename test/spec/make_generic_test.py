#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tests of the type-generic names from facts.py: every pattern, for every type of its family.

    make_generic_test.py FOLDER
writes FOLDER/generic_stubs.c   a stand-in for every routine that a generic name can stand for (see record.h),
       FOLDER/generic_cases.c   calls through the C11 macros,
       FOLDER/overload_cases.cpp   and through the C++ overloads.
"""

import pathlib
import re
import sys
from collections import namedtuple

import facts

Pattern = namedtuple("Pattern", "result name parameters members function")
Parameter = namedtuple("Parameter", "type name")


def read_parameters(text):
    return [Parameter(*re.fullmatch(r"(.*?)(\w+)", parameter).groups()) for parameter in text.split(", ")]


def read_patterns():
    families, patterns = {"none": [("", "")]}, []
    for line in facts.generics_text().splitlines():
        family = re.match(r"# family (\w+): (.*)", line)
        if family:
            families[family[1]] = [tuple(member.split(" = ")) for member in family[2].split(", ")]
        if line.startswith("#"):
            continue
        prototype, family, function = [field.strip() for field in line.split("|")[:3]]
        result, name, parameters = re.fullmatch(r"(\w+) (\w+)\((.*)\);", prototype).groups()
        patterns.append(Pattern(result, name, read_parameters(parameters), families[family], function))
    return patterns


def of_type(text, ctype):
    return re.sub(r"\bTYPE\b", ctype, text)


def is_pointer(parameter):
    return "*" in parameter.type or parameter.type.strip() in ("shmem_ctx_t", "shmem_team_t")


def stub(pattern, routine, ctype):
    """A routine that records its name, its type and its arguments."""
    parameters = ", ".join(parameter.type + parameter.name for parameter in pattern.parameters)
    lines = [f"{pattern.result} {routine}({parameters}) {{",
             f'    called("{pattern.function}", CANONICAL_TYPE({ctype or "int"}));']
    for parameter in pattern.parameters:
        got = f"got_pointer({parameter.name})" if is_pointer(parameter) else f"got_number((long){parameter.name})"
        lines.append(f"    {got};")
    if pattern.result != "void":
        lines.append("    return RESULT;")
    return of_type("\n".join(lines + ["}"]), ctype)


def argument(place, parameter):
    """Numbers are plain literals: they must convert to the type that the pointers choose."""
    if is_pointer(parameter):
        return f"({parameter.type.strip()})mark({place})"
    return str(40 + place)


def call(pattern, drop_const):
    arguments = ", ".join(argument(place, parameter) for place, parameter in enumerate(pattern.parameters))
    return f"{pattern.name}({arguments.replace('const TYPE *', 'TYPE *') if drop_const else arguments})"


def case(pattern, ctype):
    """Calls with the qualifiers of the prototype and, where these differ, without."""
    lines = []
    for text in sorted({call(pattern, False), call(pattern, True)}):
        lines.append(f"    SAME_TYPE({text}, {pattern.result});")
        lines.append(f"    {text};" if pattern.result == "void" else f"    EXPECT_NUMBER(RESULT, (long){text});")
        lines.append(f'    EXPECT("{pattern.function}", {ctype or "int"}, {len(pattern.parameters)});')
    return of_type("\n".join(lines), ctype)


HEAD = """// Written by make_generic_test.py from facts.py.
#include <shmem.h>

#include "record.h"

"""
SAME_TYPE_C = """#define SAME_TYPE(EXPRESSION, TYPE) \\
    _Static_assert(__builtin_types_compatible_p(__typeof__(EXPRESSION), TYPE), #EXPRESSION " is not of type " #TYPE)

"""
SAME_TYPE_CXX = """#include <type_traits>
#define SAME_TYPE(EXPRESSION, TYPE) \\
    static_assert(std::is_same<decltype(EXPRESSION), TYPE>::value, #EXPRESSION " is not of type " #TYPE)

"""


def stubs_text(patterns, prototypes):
    undefined = "".join(f"#undef {name}\n" for name in sorted({pattern.name for pattern in patterns}))
    functions = {}
    # Some names are a routine as well: in C++ shmem_wait_until of a long is that routine.
    for result, name, parameters in re.findall(r"^(\w+) (\w+)\((.*)\);", prototypes, re.MULTILINE):
        if name in {pattern.name for pattern in patterns}:
            meant = {"shmem_wait_until": "shmem_TYPENAME_wait_until"}.get(name, name)
            ctype = "long" if meant != name else ""
            functions[name] = stub(Pattern(result, name, read_parameters(parameters), [], meant), name, ctype)
    for pattern in patterns:
        for typename, ctype in pattern.members:
            routine = pattern.function.replace("TYPENAME", typename)
            functions[routine] = stub(pattern, routine, ctype)
    return HEAD + undefined + "\n" + "\n".join(functions.values()) + "\n"


def cases_text(patterns, same_type, entry):
    """One function a pattern, and the one that calls them all."""
    functions, names = [], []
    for number, pattern in enumerate(patterns):
        names.append(f"pattern_{number}_{pattern.name}")
        body = "\n".join(case(pattern, ctype) for _, ctype in pattern.members)
        functions.append(f"static void {names[-1]}(void) {{\n{body}\n}}\n")
    calls = "".join(f"    {name}();\n" for name in names)
    return HEAD + same_type + "\n".join(functions) + f"\nvoid {entry}(void);\nvoid {entry}(void) {{\n{calls}}}\n"


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    patterns = read_patterns()
    prototypes = facts.prototypes_text()
    folder = pathlib.Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("generic_stubs.c", stubs_text(patterns, prototypes)),
                       ("generic_cases.c", cases_text(patterns, SAME_TYPE_C, "check_every_generic")),
                       ("overload_cases.cpp", cases_text(patterns, SAME_TYPE_CXX, "check_every_overload"))):
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
