#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The runner of documents accepts what is right and notices what is wrong."""
import subprocess
import sys
import tempfile
from pathlib import Path

RUNNER = Path(__file__).resolve().parent / "run_tutorial.py"


def console(text, notes=""):
    return f"{notes}\n```console\n{text}\n```\n"


RIGHT = {
    "output": console("$ echo a b\na b"),
    "no output": console("$ true\n$ true"),
    "wildcard": console("$ echo one two three\none ... three"),
    "lines left out": console("$ seq 5\n1\n...\n5"),
    "any order": console("$ printf '2\\n1\\n'\n1\n2", "<!-- any order -->"),
    "process numbers": console("$ echo \"process $$ at 0x12f\"\nprocess 1 at 0x3"),
    "exit code": console("$ sh -c 'exit 3'\n$ echo $?\n3"),
    "variables stay": console("$ x=5\n$ echo $x\n5"),
    "continued": console("$ echo a \\\n  b\na b"),
    "a file": "```c\n// f.c\nint x;\n```\n" + console("$ cat f.c\n// f.c\nint x;"),
    "needs": console("$ no-such-program\n", "<!-- needs: no-such-program -->") + console("$ true"),
    "not run": "<!-- not run: example -->\n```sh\nexit 1\n```\n" + console("$ true"),
}
WRONG = {
    "output": console("$ echo a\nb"),
    "too much output": console("$ echo a; echo b\na"),
    "too little output": console("$ echo a\na\nb"),
    "unexpected output": console("$ echo a"),
    "missing output": console("$ true\na"),
    "order": console("$ printf '2\\n1\\n'\n1\n2"),
    "any order": console("$ printf '2\\n1\\n'\n1\n3", "<!-- any order -->"),
    "a line twice": console("$ printf '1\\n1\\n'\n1\n2", "<!-- any order -->"),
    "any order, too much": console("$ printf '2\\n1\\n3\\n'\n1\n2", "<!-- any order -->"),
    "failure": console("$ false"),
    "exit code": console("$ sh -c 'exit 3'\n$ echo $?\n4"),
    "dots are not letters": console("$ echo abc\na.c"),
    "standard error": console("$ echo a >&2"),
    "leaves": console("$ exit 0\n$ echo a\na"),
    "no command": console("output"),
    "nothing to run": "text\n",
    "a block that is not run": "```c\nint x;\n```\n" + console("$ true"),
    "no end": "```console\n$ true\n",
}


def passes(folder, text):
    document = folder / "document.md"
    document.write_text(text, encoding="utf-8")
    result = subprocess.run([sys.executable, RUNNER, "--strict", document], env={"SKERRY_BIN": "/bin", "PATH": "/usr/bin:/bin"},
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode not in (0, 1) or "Traceback" in result.stdout:
        sys.exit(f"the runner failed:\n{result.stdout}")
    return result.returncode == 0


def main():
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for documents, expected in ((RIGHT, True), (WRONG, False)):
            for name, text in documents.items():
                if passes(Path(folder), text) != expected:
                    failed.append(f"{'right' if expected else 'wrong'} document \"{name}\" was {'refused' if expected else 'accepted'}")
    print("\n".join(failed) or f"{len(RIGHT) + len(WRONG)} documents judged rightly")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
