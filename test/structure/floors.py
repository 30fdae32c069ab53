#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the layers of the tree: floors.py ROOT

No name of an operating system or a processor stands above src/machine/<name>/. A layer includes only headers of the
layers below it, and a machine includes no header of a layer above. Every folder has a README.md, and every source has
its licence line.
"""

import pathlib
import re
import sys

# C11's freestanding headers.
FREE = {"float.h", "iso646.h", "limits.h", "stdalign.h", "stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "stdnoreturn.h"}
# What a floor may include of the tree, beside its own folder.
BELOW = {
    "shmem": {"primitive", "heap", "config", "machine", "shmem.h", "shmemx.h"},
    "rpc": {"primitive", "machine", "shmem.h", "shmemx.h"},
    "aos": {"primitive", "heap", "config", "machine", "aos.h"},
    "mppa": {"primitive", "heap", "machine", "mppa_async.h", "mppa/mppa_noc.h",
             "mppa/mppa_routing.h"},
    "omp": {"primitive", "machine"},
    "primitive": {"heap", "config", "machine"},
    "heap": set(),
    "config": {"machine"},
    "machine": set(),
}
MACHINE_WORDS = re.compile(
    r"\b(__linux\w*|__unix\w*|_WIN\w+|__x86\w*|__amd64\w*|__i386\w*|__aarch64\w*|__arm\w*|__epiphany\w*|__SSE\w*|__AVX\w*|_mm\w*_\w+|"
    r"__asm__|asm|syscall|futex|mmap|munmap|memfd\w*|membarrier|pthread_\w+|sched_yield|errno|getenv|malloc|calloc|realloc|"
    r"printf|fprintf|snprintf|fork|_GNU_SOURCE)\b")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
INCLUDE = re.compile(r"^\s*#\s*include\s*([<\"])([^>\"]+)[>\"]", re.MULTILINE)
SOURCES = {".c", ".h", ".cpp", ".hpp", ".py", ".sh", ".cmake"}

failures = 0


def fail(path, line, text):
    global failures
    failures += 1
    print(f"{path}:{line}: {text}", file=sys.stderr)


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def without_comments(text):
    """The same text with comments and strings blanked, so that lines keep their numbers."""
    return COMMENT.sub(lambda match: match[0] if match[0].startswith('"') and match[0].endswith('.h"')
                       else re.sub(r"[^\n]", " ", match[0]), text)


def floor_of(root, path):
    """Name of the floor and whether it is a particular machine's folder."""
    parts = path.relative_to(root / "src").parts
    return parts[0], parts[0] == "machine" and len(parts) > 2 and parts[1] != "contract"


def check_include(root, path, floor, line, bracket, name):
    if bracket == "<":
        if name in FREE or name in BELOW[floor]:
            return
        if not name.startswith("skerry/"):
            fail(path, line, f"<{name}> is not there on a machine without an operating system")
            return
        target = root / "src" / name.removeprefix("skerry/")
    else:
        target = (path.parent / name).resolve()
    if not target.is_relative_to(root / "src"):
        fail(path, line, f'"{name}" leaves src/')
        return
    there, particular = floor_of(root, target)
    if particular:
        fail(path, line, f'"{name}" names a machine; include machine/machine.h')
    elif there != floor and there not in BELOW[floor]:
        fail(path, line, f'"{name}" is not below src/{floor}')


def check_portable(root, path, floor):
    text = without_comments(path.read_text(encoding="utf-8"))
    for match in INCLUDE.finditer(text):
        check_include(root, path, floor, line_of(text, match.start()), match[1], match[2])
    if path.suffix == ".S":
        return  # written for one processor
    for match in MACHINE_WORDS.finditer(text):
        fail(path, line_of(text, match.start()), f"{match[0]} belongs in src/machine/")


def check_particular(root, path):
    """A machine includes headers of its system, and of src/machine/: no public header and nothing of a layer above."""
    text = without_comments(path.read_text(encoding="utf-8"))
    for match in INCLUDE.finditer(text):
        name = match[2]
        if match[1] == '"':
            target = (path.parent / name).resolve()
        elif name.startswith("skerry/"):
            target = root / "src" / name.removeprefix("skerry/")
        else:
            target = root / "include" / name
        inside = target.is_relative_to(root / "src") or (match[1] == "<" and target.exists())
        if inside and not target.is_relative_to(root / "src/machine"):
            fail(path, line_of(text, match.start()), f"{match[0].split('include')[1].strip()} is above the machine")


def check_sources(root):
    count = 0
    for path in sorted((root / "src").rglob("*.[chS]")):
        floor, particular = floor_of(root, path)
        if floor not in BELOW:
            fail(path, 1, f"src/{floor} is on no floor that floors.py knows")
        elif particular:
            check_particular(root, path)
        elif path != root / "src/machine/machine.h":  # machine.h chooses a machine
            check_portable(root, path, floor)
            count += 1
    for path in sorted((root / "include").rglob("*.h")):
        if path.is_relative_to(root / "include/mppa"):
            continue  # the names of a machine whose programs use POSIX threads
        text = without_comments(path.read_text(encoding="utf-8"))
        for match in MACHINE_WORDS.finditer(text):
            fail(path, line_of(text, match.start()), f"{match[0]} belongs in src/machine/")
        count += 1
    return count


def check_tree(root):
    for top in ("src", "include", "launch", "test", "bench", "examples", "docs", "cmake", "scripts", "toolchain"):
        folders = [root / top] + sorted(path for path in (root / top).rglob("*") if path.is_dir())
        for folder in folders:
            files = [path for path in folder.iterdir() if path.is_file()]
            if folder.name == "__pycache__" or "build" in folder.relative_to(root).parts:
                continue
            for path in files:
                if path.suffix in SOURCES and "SPDX-License-Identifier" not in path.read_text(encoding="utf-8")[:400]:
                    fail(path, 1, "has no SPDX-License-Identifier line")
            if any(path.suffix in SOURCES for path in files) and not (folder / "README.md").exists():
                fail(folder, 0, "has no README.md")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    count = check_sources(root)
    check_tree(root)
    if count < 20:
        fail(root, 0, f"only {count} files found; is this the root?")
    print(f"floors: {count} portable files, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
