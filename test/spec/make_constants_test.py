#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a program, valid in C11 and in C++11, that holds the headers to constants.txt.

    make_constants_test.py FILE

Most of it fails to compile when a fact is wrong: types and members, constants as array sizes, case labels and static
initialisers, values that must be equal, ordered, distinct or single bits. The rest is checked when it runs.
"""

import pathlib
import re
import sys
from collections import namedtuple

Fact = namedtuple("Fact", "name kind ctype requirement")

HEAD = """// Written by make_constants_test.py from constants.txt.
%s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#include <type_traits>
#define SAME_TYPE(EXPRESSION, TYPE) (std::is_same<std::decay<decltype(EXPRESSION)>::type, TYPE>::value)
#define ASSERT(CONDITION) static_assert(CONDITION, #CONDITION)
#else
#define SAME_TYPE(EXPRESSION, TYPE) __builtin_types_compatible_p(__typeof__((EXPRESSION)), TYPE)
#define ASSERT(CONDITION) _Static_assert(CONDITION, #CONDITION)
#endif

int failures;

static void require(int holds, const char *rule) {
    if (holds) return;
    fprintf(stderr, "constants: %%s\\n", rule);
    failures++;
}
#define REQUIRE(CONDITION) require(CONDITION, #CONDITION)

"""


def read_facts():
    path = pathlib.Path(__file__).resolve().parent / "constants.txt"
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [Fact(*[field.strip() for field in line.split("|")[:4]]) for line in lines]


def mentioned(fact, phrase):
    match = re.search(phrase + r" (\w+)", fact.requirement)
    return match[1] if match else None


def at_file_scope(fact):
    """What the compiler alone can tell."""
    name, kind, ctype = fact.name, fact.kind, fact.ctype
    low = name.lower()
    lines = []
    if kind == "type":
        lines += [f"{name} object_{low};", f"{name} *pointer_to_{low} = &object_{low};"]
    elif kind == "member":
        structure, member = name.split(".")
        lines.append(f"ASSERT(SAME_TYPE((({structure} *)0)->{member}, {ctype}));"
                     if ctype != "size_t" else f"ASSERT(SAME_TYPE((({structure} *)0)->{member} + 0, size_t));")
        lines.append(f"{structure} with_{member} = {{1}};")
    elif kind in ("handle", "invalid"):
        # A constant address: a variable of static storage may start with it, and so may a member of an array.
        lines += [f"{ctype} initialised_{low} = {name};", f"{ctype} array_{low}[2] = {{{name}, {name}}};"]
    elif kind == "string":
        lines += [f"char string_{low}[] = {name};", f"ASSERT(sizeof {name} >= 2);",
                  f"ASSERT(sizeof {name} <= SHMEM_MAX_NAME_LEN);"]
    elif kind in ("integer", "bits"):
        lines += [f"ASSERT(SAME_TYPE({name}, {ctype}));", f"{ctype} initialised_{low} = {name};",
                  f"enum {{ enumerator_{low} = {name} }};"]
        if kind == "bits":
            lines.append(f"ASSERT({name} > 0 && ({name} & ({name} - 1)) == 0);")
        if "elements of" in fact.requirement or "least elements" in fact.requirement or "buffer" in fact.requirement:
            lines += [f"ASSERT({name} > 0);", f"long array_{low}[{name}];"]
        if fact.requirement.isdigit():
            lines.append(f"ASSERT({name} == {fact.requirement});")
        if mentioned(fact, "greater than"):
            lines.append(f"ASSERT({name} > {mentioned(fact, 'greater than')});")
        if mentioned(fact, "same as"):
            lines.append(f"ASSERT({name} == {mentioned(fact, 'same as')});")
    return lines


def distinct(names):
    """Equal case labels do not compile."""
    labels = "".join(f"    case {name}:\n" for name in names)
    function = "is_one_of_" + names[0].lower()
    return (f"int {function}(int value);\nint {function}(int value) {{\n"
            f"    switch (value) {{\n{labels}        return 1;\n    }}\n    return 0;\n}}\n")


def groups(facts):
    """Families whose members must differ, and flags that a program combines."""
    names = [fact.name for fact in facts if fact.kind in ("integer", "bits")]
    text = "".join(distinct([name for name in names if name.startswith(prefix)])
                   for prefix in ("SHMEM_CMP_", "SHMEM_SIGNAL_", "SHMEM_THREAD_"))
    for flags in (("SHMEM_CTX_SERIALIZED", "SHMEM_CTX_PRIVATE", "SHMEM_CTX_NOSTORE"),
                  ("SHMEM_MALLOC_ATOMICS_REMOTE", "SHMEM_MALLOC_SIGNAL_REMOTE")):
        text += f"ASSERT(({' | '.join(flags)}) == {' + '.join(flags)});\n"
    text += "".join(f"ASSERT(SHMEM_SYNC_SIZE >= {name});\n" for name in names
                    if re.fullmatch(r"SHMEM_\w+_SYNC_SIZE", name))
    return text


def at_run_time(facts):
    lines = [f"REQUIRE(strcmp({fact.name}, {mentioned(fact, 'same as')}) == 0);"
             for fact in facts if fact.kind == "string" and mentioned(fact, "same as")]
    handles = [fact for fact in facts if fact.kind in ("handle", "invalid")]
    for number, left in enumerate(handles):
        lines.append(f"REQUIRE(initialised_{left.name.lower()} == {left.name});")
        lines += [f"REQUIRE(initialised_{left.name.lower()} != {right.name});" for right in handles[number + 1:]
                  if right.ctype == left.ctype]
    lines += [f"REQUIRE(initialised_{fact.name.lower()} == {fact.name});"
              for fact in facts if fact.kind in ("integer", "bits")]
    return lines


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    facts = read_facts()
    headers = "".join(f"#include <{fact.name}>\n" for fact in facts if fact.kind == "header")
    body = "".join(line + "\n" for fact in facts for line in at_file_scope(fact))
    checks = "".join(f"    {line}\n" for line in at_run_time(facts))
    text = (HEAD % headers + body + "\n" + groups(facts) + f"\nint main(void) {{\n{checks}"
            f'    printf("constants: {len(facts)} facts, %d failures\\n", failures);\n'
            "    return failures ? EXIT_FAILURE : EXIT_SUCCESS;\n}\n")
    pathlib.Path(arguments[0]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
