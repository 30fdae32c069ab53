#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every name that a page documents has a page, and pages are not written while a public function has no text.

    check_man.py SOURCE-TREE MAN-PAGES
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

READ = ("scripts/make-man", "scripts/routines.py", "src", "include")  # what make-man reads
# One of each kind of declaration, and where: its text is taken away.
WITH_TEXT = {"aos_put": "src/aos/transfer.h", "mppa_async_fence": "src/mppa/synchronisation.h",
             "__bsp_frequency": "src/mppa/processor.h", "mppa_rpc_client_final": "src/mppa/programs.h", "mOS_dinval": "src/mppa/processor.h",
             "utask_join": "include/mppa/utask.h", "mppa_remote_client_init": "include/mppa/mppa_remote.h"}


def wrong_pages(man):
    """Pages that stand for one that is not there, and names before a page's dash that have none."""
    for page in sorted(man.glob("man3/*.3")):
        if page.is_symlink() and not page.exists():
            yield f"{page.name} is {page.readlink()}, which is not there"
            continue
        text = page.read_text(encoding="utf-8")
        heading = re.search(r"^\.SH NAME\n(.*?) \\- ", text, re.M)
        for name in heading[1].split(", ") if heading else []:
            if not (man / "man3" / f"{name}.3").exists():
                yield f"{page.name} documents {name}, which has no page"


def make_man(tree):
    return subprocess.run([sys.executable, tree / "scripts/make-man", tree / "out"], capture_output=True, text=True, check=False)


def copy_tree(source, tree):
    for name in READ:
        target = tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (source / name).is_dir() else shutil.copy)(source / name, target)


def unnoticed(source):
    """What make-man accepts without its text."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        copy_tree(source, tree)
        if make_man(tree).returncode != 0:
            yield "make-man: fails as things are"
        for name, header in WITH_TEXT.items():
            text = (source / header).read_text(encoding="utf-8")
            (tree / header).write_text(re.sub(rf"^(//@ .*?) {name}\b", r"\1", text, count=1, flags=re.M), encoding="utf-8")
            made = make_man(tree)
            if made.returncode == 0 or f"no text for {name}\n" not in made.stderr:
                yield f"{header}: {name} without a text: make-man said {made.stdout}{made.stderr}"
            (tree / header).write_text(text, encoding="utf-8")


def main():
    source, man = map(Path, sys.argv[1:3])
    wrong = [*wrong_pages(man), *unnoticed(source)]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
