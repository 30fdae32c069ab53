#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the headers to what a user's compiler sees of them.

    header_test.py --cc CC --cxx CXX -I FOLDER [-I FOLDER ...]

Every header compiles without a warning under each language standard that the compiler knows, under some of them also
without optimisation; no name leaks that the specification does not know and that carries no prefix of ours; a wrong type or a
wrong number of arguments is an error that says so; and a near access is inlined through the type-generic names.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import facts

HEADERS = ["shmem.h", "shmemx.h", "pshmem.h", "mpp/shmem.h", "mpp/shmemx.h", "aos.h"]
C_STANDARDS = ["c89", "gnu89", "c99", "c11", "gnu11", "c17", "c2x", "gnu2x"]
OLD_CXX_STANDARDS = ["c++98", "gnu++98", "c++03"]  # without type-generic names and <shmemx.h>
CXX_STANDARDS = ["c++11", "c++14", "c++17", "gnu++17", "c++20", "c++2b"]
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wundef", "-pedantic", "-Werror"]
HERE = pathlib.Path(__file__).resolve().parent

# Names of macros that a header may define: the specification's own and those with a prefix.
MACRO = re.compile(r"_?SHMEM_[A-Z0-9_]+|SHMEMX?_H|PSHMEM_H|(SKERRY|SHMEMX|AOS|skerry|shmemx)_\w+|RPC|RPC_ASYNC|RPC_BLOCK|localize")
FUNCTION = re.compile(r"p?shmem_\w+|skerry_\w+|aos_\w+")
LEGACY = {"start_pes", "_my_pe", "_num_pes", "shmalloc", "shfree", "shrealloc", "shmemalign"}

# Code, and what the compiler's message about it must contain.
WRONG = [
    ("struct point { int x; } *a; void f(void) { shmem_put(a, a, 1, 0); }", "point", "point"),
    ("void *a; void f(void) { shmem_get(a, a, 1, 0); }", "void", "void"),
    ("float *a; void f(void) { shmem_atomic_inc(a, 0); }", "float", "float"),
    ("double *a; void f(void) { shmem_atomic_and(a, 1, 0); }", "double", "double"),
    ("char *a; void f(void) { shmem_wait_until(a, SHMEM_CMP_EQ, 1); }", "char", "char"),
    ("char *a; void f(void) { shmem_and_reduce(SHMEM_TEAM_WORLD, a, a, 1); }", "char", "char"),
    ("double *a; void f(void) { shmem_swap(a, 1, 2, 3); }", "too many arguments", "shmem_swap"),
    ("long *a; void f(void) { shmem_put(a, a, 1); }", "too few arguments", "shmem_put"),
    ("long *a; void f(void) { shmem_put(SHMEM_CTX_DEFAULT, a, a, 1, 0, 0); }", "skerry_context", "shmem_put"),
    ("const long a; void f(void) { shmem_p(&a, 1, 0); }", "const", "const"),
    ("long *a; float *b; void f(void) { shmem_put(a, b, 1, 0); }", "float", "float"),
]

INLINED = """
long word;
double number;
unsigned int bits;
void a(long value) { shmem_p(&word, value, 1); }
void b(long value) { shmem_p(SHMEM_CTX_DEFAULT, &word, value, 1); }
double c(void) { return shmem_g(&number, 1); }
long d(void) { return shmem_atomic_fetch_add(&word, 1, 1); }
void e(void) { shmem_atomic_or(&bits, 1, 1); }
void f(const long *source) { shmem_put(&word, source, 1, 1); }
int g(void) { return shmem_test(&word, SHMEM_CMP_EQ, 1); }
"""


class Tester:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.checks = 0
        self.failures = 0

    def compile(self, compiler, suffix, text, *flags):
        """Returns the exit status, the messages, and the output file."""
        source, output = self.folder / f"source{suffix}", self.folder / "output"
        source.write_text(text, encoding="utf-8")
        command = [compiler, *flags, *(f"-I{path}" for path in self.options.I), str(source), "-o", str(output)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr, output

    def check(self, holds, what, detail=""):
        self.checks += 1
        if not holds:
            self.failures += 1
            print(f"header_test: {what}\n{detail}".rstrip(), file=sys.stderr)

    def knows(self, compiler, suffix, standard):
        return self.compile(compiler, suffix, "int x;\n", f"-std={standard}", "-fsyntax-only")[0] == 0

    def standards(self, compiler, suffix, standards):
        known = [standard for standard in standards if self.knows(compiler, suffix, standard)]
        self.check(known, f"{compiler} knows no standard of {standards}")
        everything = "".join(f"#include <{header}>\n" for header in HEADERS) + "int x;\n"
        for standard in known:
            self.compiles(compiler, suffix, everything, f"-std={standard}", "-O2")
        # The headers test the standard's number, not the options: the ends and the middle stand for all.
        for standard in {known[0], known[len(known) // 2], known[-1]}:
            for flags in (["-O0"], ["-O2", "-DSKERRY_NO_INLINE"]):
                self.compiles(compiler, suffix, everything, f"-std={standard}", *flags)
        for header in HEADERS:
            self.compiles(compiler, suffix, f"#include <{header}>\nint x;\n", f"-std={known[0]}", "-O0")

    def compiles(self, compiler, suffix, text, *flags):
        # GCC heeds neither a pragma about comments in gnu89 nor that a header belongs to the system.
        warnings = [name for name in WARNINGS if name != "-pedantic" or "-std=gnu89" not in flags]
        status, messages, _ = self.compile(compiler, suffix, text, "-c", *flags, *warnings)
        self.check(status == 0, f"{compiler} {' '.join(flags)} complains about\n{text}", messages)

    def strictest(self, compiler, suffix, standards, headers, *flags):
        """No warning in our own files when they are no system headers either."""
        text = "".join(f"#include <{header}>\n" for header in headers) + "int x;\n"
        for standard in (standard for standard in standards if self.knows(compiler, suffix, standard)):
            status, messages, _ = self.compile(compiler, suffix, text, "-c", f"-std={standard}", "-Wall", "-Wextra",
                                               "-Wsystem-headers", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wundef",
                                               *flags)
            ours = [line for line in messages.splitlines()
                    if re.match(r"\S+:\d+:\d+: (warning|error)", line) and not line.startswith("/usr/")]
            self.check(status == 0 and not ours, f"{compiler} -std={standard} -Wsystem-headers -Wpedantic", "\n".join(ours[:5]))

    def old_cxx(self, compiler):
        """C++98 compiles, and what it has not says so in a sentence."""
        text = "#include <shmem.h>\nlong a, b[2];\nint f() { shmem_long_put(&a, b, 1, 0); return shmem_my_pe(); }\n"
        for standard in OLD_CXX_STANDARDS:
            self.compiles(compiler, ".cpp", text + "#include <pshmem.h>\n", f"-std={standard}", "-O1")
            for header in ("shmemx.h", "mpp/shmemx.h"):
                status, messages, _ = self.compile(compiler, ".cpp", f"#include <{header}>\n", "-fsyntax-only", f"-std={standard}")
                errors = re.findall(r"error: .*", messages)
                self.check(status != 0 and len(errors) == 1 and "need C++11" in errors[0],
                           f"{compiler} -std={standard} and <{header}>: not one sentence", messages)

    def macros(self, compiler, headers, *flags):
        text = "".join(f"#include <{header}>\n" for header in headers)
        _, _, output = self.compile(compiler, ".c", text, "-E", "-dM", *flags)
        return set(re.findall(r"^#define (\w+)", output.read_text(encoding="utf-8"), re.MULTILINE))

    def names(self, compiler):
        """Names that the headers add to those of the standard headers they include."""
        system = ["limits.h", "stddef.h", "stdint.h", "stdbool.h"]
        generics = set(re.findall(r"^\w+ (\w+)\(", facts.generics_text(), re.MULTILINE))
        before = self.macros(compiler, system)
        after = self.macros(compiler, ["shmem.h", "shmemx.h", "pshmem.h", "aos.h"])
        added = {name for name in after - before if name.startswith("shmem_")}
        self.check(added == generics, "the type-generic macros are not those of facts.py", str(added ^ generics))
        leaked = {name for name in after - before - added if not MACRO.fullmatch(name)}
        self.check(not leaked, "macros without a prefix", " ".join(sorted(leaked)))
        old = {name for name in self.macros(compiler, ["shmem.h"], "-std=c99") if name.startswith("shmem_")}
        self.check(not old, "type-generic macros before C11", " ".join(sorted(old)))

    def functions(self, compiler):
        """Names of everything that the headers declare; GCC alone can list it."""
        listing = self.folder / "declared"
        text = "#include <shmem.h>\n#include <pshmem.h>\n#include <aos.h>\n"
        if self.compile(compiler, ".c", text, "-fsyntax-only", "-aux-info", str(listing))[0] != 0:
            return
        declared = set(re.findall(r"(\w+) \((?!\*)", re.sub(r"/\*.*?\*/", "", listing.read_text(encoding="utf-8"))))
        self.check(len(declared) > 3000, f"only {len(declared)} functions declared")
        leaked = {name for name in declared - LEGACY if not FUNCTION.fullmatch(name)}
        self.check(not leaked, "functions without a prefix", " ".join(sorted(leaked)))

    def wrong_code(self, compiler, suffix, standard, column):
        for row in WRONG:
            text = "#include <shmem.h>\n" + row[0] + "\n"
            status, messages, _ = self.compile(compiler, suffix, text, "-fsyntax-only", f"-std={standard}", "-Werror")
            self.check(status != 0, f"{compiler} accepts {row[0]}")
            self.check(row[column] in messages, f"{compiler}: no word '{row[column]}' about {row[0]}", messages)

    def inlined(self, compiler, suffix, standard):
        for level in ("-O0", "-O2"):
            status, messages, output = self.compile(compiler, suffix, "#include <shmem.h>\n" + INLINED, "-S", level,
                                                    f"-std={standard}")
            self.check(status == 0, f"{compiler} {level} does not compile the inlined routines", messages)
            if status == 0:
                named = sorted(set(re.findall(r"\bp?shmem_\w+", output.read_text(encoding="utf-8"))))
                self.check(not named, f"{compiler} {level} calls", " ".join(named))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", required=True, help="the C compiler")
    parser.add_argument("--cxx", required=True, help="the C++ compiler")
    parser.add_argument("-I", action="append", default=[], metavar="FOLDER", help="where the headers are")
    with tempfile.TemporaryDirectory() as folder:
        tester = Tester(options := parser.parse_args(), folder)
        tester.standards(options.cc, ".c", C_STANDARDS)
        tester.standards(options.cxx, ".cpp", CXX_STANDARDS)
        # Not the gnu standards: -Wpedantic warns of the same code there, or of less.
        tester.strictest(options.cc, ".c", [name for name in C_STANDARDS if not name.startswith("gnu")], HEADERS)
        tester.strictest(options.cxx, ".cpp", [name for name in CXX_STANDARDS if not name.startswith("gnu")], HEADERS,
                         "-Wold-style-cast")
        tester.strictest(options.cxx, ".cpp", OLD_CXX_STANDARDS, ["shmem.h", "pshmem.h", "mpp/shmem.h", "aos.h"],
                         "-Wold-style-cast")
        # skerry_omp.h is for OpenMP programs, whose compilers know C99 and C++11.
        tester.strictest(options.cc, ".c", ["c99", "c11", "c17", "c2x"], ["skerry_omp.h"])
        tester.strictest(options.cxx, ".cpp", ["c++11", "c++17", "c++20", "c++2b"], ["skerry_omp.h"])
        tester.old_cxx(options.cxx)
        tester.names(options.cc)
        tester.functions(options.cc)
        tester.wrong_code(options.cc, ".c", "gnu11", 1)
        tester.wrong_code(options.cxx, ".cpp", "gnu++17", 2)
        tester.inlined(options.cc, ".c", "gnu11")
        tester.inlined(options.cxx, ".cpp", "gnu++17")
    print(f"header_test: {tester.checks} checks, {tester.failures} failures")
    sys.exit(1 if tester.failures or not tester.checks else 0)


if __name__ == "__main__":
    main()
