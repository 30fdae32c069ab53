#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does what a document says: writes the files that it shows, types its commands, and compares what they print.

A fenced block whose first line is a comment with a file name ("// ring.c" or "# Makefile", perhaps ": " and more) is
that file. A block of the language `console` is a dialogue with a shell: lines that begin with "$ " are typed (one that
ends with a backslash goes on in the next), the others are what must be printed. There "..." stands for anything inside
a line, a line of its own for any lines; addresses and process numbers may differ. A command must succeed, unless the
next one is "echo $?". Comments on the line before a block change this:
    <!-- any order -->         the lines of this output may come in any order
    <!-- needs: gdb, perf -->  without these programs the block is left out
    <!-- not run: reason -->   the block is only read
All other blocks are only read, but not with --strict: there each must be one of these.

If all dialogues are left out because programs are missing, the exit code is 77 (skipped).

The commands come from $SKERRY_BIN, or with --install from a copy that is installed from a build for this purpose.
"""
import argparse
import difflib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS_FOR_A_BLOCK = 240
END_OF_OUTPUT = "\x1e"
FILE_NAME = re.compile(r"(?://|#|/\*) ([\w.+-]+\.[a-z]\w*|Makefile|CMakeLists\.txt)(?::| \*/|$)")
VARIABLE_PARTS = re.compile(r"0x[0-9a-f]+|process \d+|\.\.\.")


class Block:
    def __init__(self, line, language, notes):
        self.line, self.language, self.notes, self.lines = line, language, notes, []

    def note(self, name):
        for note in self.notes:
            if note == name or note.startswith(name + ":"):
                return note[len(name) + 1:].strip() or True
        return None


class Mismatch(Exception):
    pass


def read_blocks(text):
    """The fenced blocks of a document, each with the comments on the lines right before it."""
    blocks, block, notes = [], None, []
    for number, line in enumerate(text.splitlines(), 1):
        if block is not None:
            if line.strip() == "```":
                blocks.append(block)
                block, notes = None, []
            else:
                block.lines.append(line)
        elif line.startswith("```"):
            block = Block(number, line[3:].strip(), notes)
        elif line.startswith("<!--"):
            notes.append(line[4:].partition("-->")[0].strip())
        elif line.strip():
            notes = []
    if block is not None:
        raise Mismatch(f"{block.line}: the block has no end")
    return blocks


def read_dialogue(block):
    """Pairs of a command and the lines that it must print."""
    pairs, goes_on = [], False
    for line in block.lines:
        if goes_on:
            pairs[-1][0] += "\n" + line
        elif line.startswith("$ "):
            pairs.append([line[2:], []])
        elif not pairs:
            raise Mismatch(f"{block.line}: a console block begins with a line that begins with \"$ \"")
        else:
            pairs[-1][1].append(line)
            continue
        goes_on = line.endswith("\\")
    if not pairs:
        raise Mismatch(f"{block.line}: a console block without a command")
    return pairs


def pattern_of(line):
    parts, at = [], 0
    for variable in VARIABLE_PARTS.finditer(line):
        parts.append(re.escape(line[at:variable.start()]))
        text = variable.group()
        parts.append(".*" if text == "..." else "0x[0-9a-f]+" if text.startswith("0x") else r"process \d+")
        at = variable.end()
    return "".join(parts) + re.escape(line[at:])


def matches_in_order(expected, got):
    text = "".join("(?:.*\n)*" if line == "..." else pattern_of(line) + "\n" for line in expected)
    return re.fullmatch(text, "".join(line + "\n" for line in got)) is not None


def matches_in_any_order(expected, got):
    if "..." not in expected and len(expected) != len(got):
        return False
    left = list(got)
    for line in sorted((line for line in expected if line != "..."), key=lambda line: line.count("...")):
        found = next((i for i, other in enumerate(left) if re.fullmatch(pattern_of(line), other)), None)
        if found is None:
            return False
        del left[found]
    return True


def compare(line, command, expected, got, any_order):
    expected = "\n".join(expected).strip("\n").split("\n") if expected else []
    got = [text.rstrip() for text in got.strip("\n").split("\n")] if got.strip("\n") else []
    expected = [text.rstrip() for text in expected if text or got]
    if (matches_in_any_order if any_order else matches_in_order)(expected, got):
        return
    difference = difflib.unified_diff(expected, got, "what the document says", "what it printed", lineterm="")
    raise Mismatch(f"{line}: $ {command}\n" + "\n".join(difference))


def run_script(script, folder, environment):
    process = subprocess.Popen(["/bin/sh", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=SECONDS_FOR_A_BLOCK)
        return output.decode("utf-8", "replace"), False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return output.decode("utf-8", "replace"), True


def run_dialogue(block, folder, environment):
    pairs = read_dialogue(block)
    script = "status=0\n"
    for command, _ in pairs:
        script += f"(exit $status)\n{command}\nstatus=$?\nprintf '{END_OF_OUTPUT}%d\\n{END_OF_OUTPUT}' $status\n"
    output, too_long = run_script(script, folder, environment)
    pieces = output.split(END_OF_OUTPUT)
    for i, (command, expected) in enumerate(pairs):
        if 2 * i + 1 >= len(pieces):
            why = f"took longer than {SECONDS_FOR_A_BLOCK} s" if too_long else "ended the shell"
            raise Mismatch(f"{block.line}: $ {command}\n{why}\n{pieces[-1]}")
        compare(block.line, command, expected, pieces[2 * i], block.note("any order"))
        status = int(pieces[2 * i + 1])
        asked = i + 1 < len(pairs) and pairs[i + 1][0] == "echo $?"
        if status != 0 and not asked:
            raise Mismatch(f"{block.line}: $ {command}\nended with exit code {status}")
    return len(pairs)


def missing_programs(block):
    names = block.note("needs")
    return [name for name in names.replace(",", " ").split() if not shutil.which(name)] if names else []


def run_block(block, path, folder, environment, strict):
    """Returns the count of commands that were run, or None if the block is left out because programs are missing."""
    file_name = FILE_NAME.match(block.lines[0]) if block.lines else None
    if block.note("not run"):
        return 0
    if block.language == "console":
        missing = missing_programs(block)
        if not missing:
            return run_dialogue(block, folder, environment)
        print(f"{path}:{block.line}: left out, there is no {' and no '.join(missing)}")
        return None
    if file_name:
        (folder / file_name.group(1)).write_text("\n".join(block.lines) + "\n", encoding="utf-8")
    elif strict:
        raise Mismatch(f"{block.line}: the block is neither a file nor a dialogue")
    return 0


def run_document(path, folder, environment, strict):
    """Runs one document in `folder`; True if it did what it says, None if programs are missing for all its dialogues."""
    commands, good, left_out = 0, True, False
    for block in read_blocks(path.read_text(encoding="utf-8")):
        try:
            count = run_block(block, path, folder, environment, strict)
            left_out |= count is None
            commands += count or 0
        except Mismatch as mismatch:
            print(f"{path}:{mismatch}", file=sys.stderr)
            good = False
    if commands == 0 and good and left_out:
        return None
    if commands == 0:
        print(f"{path}:1: nothing was run", file=sys.stderr)
    print(f"{path}: {commands} commands {'did what it says' if good else 'besides those that did not do what it says'}")
    return good and commands > 0


def clean_environment(programs):
    """As a new user has it: nothing set that changes how programs are built or run."""
    environment = {name: value for name, value in os.environ.items()
                   if not re.match(r"SKERRY_|SHMEM_|SMA_|LD_|MAKE|CFLAGS|LDFLAGS|CPPFLAGS|LC_|LANG", name)}
    environment["PATH"] = f"{programs}:{environment.get('PATH', '/usr/bin:/bin')}"
    environment["LC_ALL"] = "C.UTF-8"
    return environment


def install(build, prefix):
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    return prefix / "bin"


def main():
    parser = argparse.ArgumentParser(description="Runs what documents show.")
    parser.add_argument("--strict", action="store_true", help="every block must be run")
    parser.add_argument("--install", metavar="BUILD", help="run an installation of this build")
    parser.add_argument("document", type=Path, nargs="+")
    options = parser.parse_args()
    if not options.install and not os.environ.get("SKERRY_BIN"):
        parser.error("set SKERRY_BIN to the folder of oshcc and oshrun, or give --install")
    failed = skipped = False
    with tempfile.TemporaryDirectory(prefix="skerry-docs-") as temporary:
        programs = (install(options.install, Path(temporary) / "skerry") if options.install
                    else Path(os.environ["SKERRY_BIN"]).resolve())
        environment = clean_environment(programs)
        for number, path in enumerate(options.document):
            folder = Path(temporary) / str(number)
            folder.mkdir()
            try:
                good = run_document(path, folder, environment, options.strict)
                skipped |= good is None
                failed |= good is False
            except Mismatch as mismatch:
                print(f"{path}:{mismatch}", file=sys.stderr)
                failed = True
    return 1 if failed else 77 if skipped and len(options.document) == 1 else 0


if __name__ == "__main__":
    sys.exit(main())
