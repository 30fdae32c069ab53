#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares a machine with its contract (src/machine/contract/), in macros, inline functions and linked symbols:

    contract.py ROOT COMPILER NM MACHINE UPPER -- FLAGS

MACHINE and UPPER name the object files of the machine, and of the layers above it: a file with their paths (.txt), or a
pattern. FLAGS are the compiler's, so that the preprocessor keeps the parts of the contract that this machine has.

  * The machine defines each function that the contract declares for it.
  * The layers above use each function that the contract declares. (Functions of other machines count too: this is a
    property of the text, not of one machine.)
  * The layers above use no function and no macro of the machine that the contract does not declare.
  * The layers above call no function that the contract declares only for other machines: one of workers.h, for example, in
    a machine for PEs. It does not matter whether this machine happens to define it.
  * The machine calls no function of the layers above, neither in its objects nor in its inline functions.
  * A macro that the contract names is defined by a machine, and a layer above or the contract itself uses it. (This too is
    a property of the text of all machines.) A machine for PEs defines each macro that core.h, pe.h, interrupt.h and
    programs.h name, except those that OPTIONAL lists.
"""

import glob
import pathlib
import re
import subprocess
import sys

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
PROTOTYPE = re.compile(r"[^;{}]*?\b(skerry_\w+)\s*\([^;{}]*\)\s*(?:__attribute__[^;]*)?;")
INLINE = re.compile(r"\b(?:always_inline|inline|__inline__)\b[^;{]*?\b(skerry_\w+)\s*\([^;{]*\{")
MACRO = re.compile(r"^\s*#\s*define\s+(\w+)", re.MULTILINE)
# Names of the programming models, which a machine must not use either.
PUBLIC = re.compile(r"\bp?(?:shmemx?|aos|mppa|omp|GOMP)_\w+")
NAME = re.compile(r"\b(?:skerry|SKERRY)_\w+")
CONSTANTS = re.compile(r"\benum\b[^;{]*\{([^}]*)\}")
# Lines of the preprocessor that only require a macro to be defined do not use it.
REQUIREMENT = re.compile(r"^\s*#\s*(?:ifndef\b|if\s+!defined|error\b)(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
# Macros that a machine defines only if it has what they are for; the contract says when.
OPTIONAL = {"SKERRY_EACH_PE", "SKERRY_CALL_HEADER", "SKERRY_SHARED_VARIABLE", "SKERRY_NOC_MAILBOXES", "SKERRY_NOC_SENDERS",
            "SKERRY_NOC_TAGS", "SKERRY_NOC_CHANNELS", "SKERRY_NOC_ENGINES", "SKERRY_PROGRAMS_HERTZ",
            "SKERRY_COMMON_BASE"}
BUILD_MACROS = {"SKERRY_BUILD", "SKERRY_WORKERS"}  # which part of Skerry is compiled: no machine defines them

failures = 0


def fail(text):
    global failures
    failures += 1
    print(f"contract: {text}", file=sys.stderr)


def read(path):
    return COMMENT.sub(" ", path.read_text(encoding="utf-8"))


def preprocessed(root, compiler, flags):
    """What the compiler sees of machine.h and call.h: the text of the contract's headers, and the text of the machine's headers."""
    source = f'#include "{root}/src/machine/machine.h"\n#ifdef SKERRY_CALL_HEADER\n#include "{root}/src/machine/call.h"\n#endif\n'
    run = subprocess.run([compiler, *flags, "-x", "c", "-E", "-"], input=source, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"contract: {compiler} cannot preprocess the machine's headers:\n{run.stderr}")
    text = run.stdout
    contract, machine, paths, kind = [], [], set(), None
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if not marker:
            if kind is not None:
                kind.append(line)
            continue
        path = pathlib.Path(marker[1]).resolve()
        kind = None
        if path.parent == root / "src/machine/contract":
            kind = contract
        elif path.is_relative_to(root / "src/machine") and path.parent != root / "src/machine":
            kind = machine
            paths.add(path)
    return "\n".join(contract), "\n".join(machine), sorted(paths)


def macros_of_machine(root, compiler, flags):
    """Returns all macros that are defined behind machine.h."""
    run = subprocess.run([compiler, *flags, "-x", "c", "-dM", "-E", "-"], input=f'#include "{root}/src/machine/machine.h"\n',
                         capture_output=True, text=True, check=True)
    return set(MACRO.findall(run.stdout))


def check_macros(root, contract_headers, upper_names, here):
    """Checks that each macro that the contract names is defined by a machine and used. `here`: the macros of this machine; empty for
    a machine for workers, which has no contract of its own for macros."""
    own = {path.name.upper().replace(".", "_") for path in contract_headers}
    named, required, used = set(), set(), set(upper_names)
    for path in contract_headers:
        text = path.read_text(encoding="utf-8")
        code = read(path)
        constants = {name for body in CONSTANTS.findall(code) for name in re.findall(r"SKERRY_\w+", body)}
        names = set(re.findall(r"\bSKERRY_\w+", text)) - constants - set(MACRO.findall(code))
        named |= names
        if path.name not in ("begun.h", "call.h", "workers.h", "events.h"):
            required |= names
        used |= set(NAME.findall(REQUIREMENT.sub(" ", code)))
    named = {name for name in named - BUILD_MACROS if not name.removeprefix("SKERRY_MACHINE_CONTRACT_") in own}
    # A comment of the contract may also name what src/config chooses for a machine.
    machines = [path for folder in ("src/machine", "src/config") for path in sorted((root / folder).rglob("*.[chS]"))]
    defined, chosen = set(), set()
    for path in machines:
        if path.parent == root / "src/config":
            chosen |= set(MACRO.findall(path.read_text(encoding="utf-8")))
        if path.parent != root / "src/machine/contract":
            text = path.read_text(encoding="utf-8")
            defined |= set(MACRO.findall(text)) | set(re.findall(r"\bSKERRY_\w+", " ".join(CONSTANTS.findall(text))))
    for name in sorted(named - defined):
        fail(f"{name}: the contract names this macro, but no machine defines it")
    for name in sorted(required & named & defined - here - chosen - OPTIONAL if here else ()):
        fail(f"{name}: the contract names this macro, but this machine does not define it")
    for name in sorted(named & defined - used):
        fail(f"{name}: the contract names this macro, but nothing above the machine uses it")


def declared_in(contract):
    return {match[1] for match in PROTOTYPE.finditer(contract) if "typedef" not in match[0]}


def bodies(code):
    """The text that is inside braces: the bodies of inline functions, not the prototypes."""
    depth, text = 0, []
    for character in code:
        depth += (character == "{") - (character == "}")
        text.append(character if depth > 0 else " ")
    return "".join(text)


def symbols(nm, option, objects, letters="TtDdBbRrVvWwC"):
    lines = subprocess.run([nm, option, *objects], capture_output=True, text=True, check=True).stdout.splitlines()
    names = set()
    for line in lines:
        words = line.split()
        if len(words) >= 2 and (option == "-u" or words[-2] in letters):
            names.add(words[-1])
    return names


def objects_of(where):
    """The objects that a file lists, one a line, or that a pattern matches."""
    if where.endswith(".txt"):
        return pathlib.Path(where).read_text(encoding="utf-8").split()
    return glob.glob(where)


def main():
    root, compiler, nm, machine_objects, upper_objects = sys.argv[1:6]
    flags = sys.argv[sys.argv.index("--") + 1:]
    root = pathlib.Path(root).resolve()
    machine, upper = objects_of(machine_objects), objects_of(upper_objects)
    upper = [path for path in upper if path not in machine]
    if not machine or not upper:
        sys.exit(f"contract: no objects in {machine_objects} or {upper_objects}")
    contract_headers = sorted((root / "src/machine/contract").glob("*.h"))
    contract_text = "\n".join(path.read_text(encoding="utf-8") for path in contract_headers)
    contract_code = COMMENT.sub(" ", contract_text)
    contract_functions = set(re.findall(r"\bskerry_\w+", contract_code)) | {
        name.replace("##BITS##", bits).replace("##BITS", bits)
        for name in re.findall(r"\bskerry_\w+##BITS\b", contract_code) for bits in ("32", "64")}
    contract_macros = set(NAME.findall(contract_text))
    upper_text = "\n".join(read(path) for folder in ("src", "include") for path in sorted((root / folder).rglob("*.[ch]"))
                           if "machine" not in path.relative_to(root).parts)
    upper_names = set(NAME.findall(upper_text))
    # Type families paste the size of a word to a name.
    pasted = {name for name in re.findall(r"\b(skerry_\w+_)##", upper_text)}

    is_used = lambda name: name in upper_names or any(name.startswith(start) for start in pasted)
    contract, machine_text, headers = preprocessed(root, compiler, flags)
    declared = declared_in(contract)
    inline = {match[1] for match in INLINE.finditer(machine_text)}
    defined = symbols(nm, "--defined-only", machine)
    defined_above = symbols(nm, "--defined-only", upper)
    defined |= {name.removeprefix("_") for name in defined}
    defined_above |= {name.removeprefix("_") for name in defined_above}
    undefined = {name.removeprefix("_") for name in symbols(nm, "-u", machine)} | symbols(nm, "-u", machine)
    undefined_above = {name.removeprefix("_") for name in symbols(nm, "-u", upper)} | symbols(nm, "-u", upper)

    for name in sorted(declared - inline - defined):
        fail(f"{name}: declared, but this machine defines it neither inline nor in its objects")
    for name in sorted(name for name in declared if not is_used(name)):
        fail(f"{name}: declared, but no layer above uses it")
    for name in sorted((inline | (undefined_above & defined)) & upper_names - contract_functions):
        if name.startswith("skerry_"):
            fail(f"{name}: a layer above uses it, but the contract does not declare it")
    machine_code = COMMENT.sub(" ", machine_text)
    variables = set(re.findall(r"\bextern\b[^;()]*?\b(skerry_\w+)[^;()]*;", contract))
    called_inline = set(NAME.findall(bodies(machine_code)))
    for name in sorted(undefined_above & contract_functions - declared - variables - defined_above - called_inline):
        fail(f"{name}: a layer above calls it, but the contract does not declare it for this machine")
    macros = {name for path in headers for name in MACRO.findall(read(path))} - {
        name for path in contract_headers for name in MACRO.findall(read(path))}
    for name in sorted(macros & upper_names - contract_macros):
        fail(f"{name}: a layer above uses this macro, but the contract does not mention it")
    for name in sorted(undefined & defined_above):
        fail(f"{name}: the machine calls it, but a layer above defines it")
    # An inline function of the machine is compiled into the objects of the layers above, where nm does not tell who calls.
    above = symbols(nm, "--defined-only", upper, "TDBRVWC")
    above |= {name.removeprefix("_") for name in above}
    for name in sorted((set(NAME.findall(machine_code)) | set(PUBLIC.findall(machine_code))) & above - defined - inline):
        fail(f"{name}: a header of the machine uses it, but a layer above defines it")
    here = set() if "-DSKERRY_WORKERS" in flags else macros_of_machine(root, compiler, flags)
    check_macros(root, contract_headers, upper_names, here)
    print(f"contract: {len(declared)} functions declared, {len(inline & declared)} of them inline, {failures} failures")
    sys.exit(1 if failures or len(declared) < 40 else 0)


if __name__ == "__main__":
    main()
