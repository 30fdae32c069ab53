#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site: site.py DOCS MAN-PAGES OUTPUT.

MkDocs wants one folder that holds pages and nothing else. So the Markdown files and pictures of DOCS are copied to OUTPUT/site-pages,
man pages become pages of their own, as a terminal shows them, and mkdocs writes OUTPUT/site.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

SECTIONS = {"1": "Commands", "7": "Overview", "3": "Routines"}


def copy_pages(docs, pages):
    for source in [*docs.rglob("*.md"), *docs.rglob("*.png")]:
        if source.name == "README.md":
            continue  # says to those who look at the folder what is in it
        target = pages / source.relative_to(docs)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def plain_text(page):
    """A man page as text: formatted for a terminal, without bold and underline."""
    formatted = subprocess.run(["groff", "-mandoc", "-Tutf8", "-rLL=100n", "-rHY=0", "-dAD=l", "-P-cbou", page], check=True, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    lines = [line.rstrip() for line in formatted.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def title_of(text, name):
    """What follows the name in the section NAME."""
    found = re.search(r"^NAME\n\s+.*? [-—–] (.*?)\n\n", text, flags=re.MULTILINE | re.DOTALL)
    return " ".join(found.group(1).split()) if found else name


def write_man_pages(folder, pages):
    index = ["# Manual pages", ""]
    (pages / "man").mkdir(exist_ok=True)
    for section, heading in SECTIONS.items():
        index += [f"## {heading}", ""]
        for page in sorted((folder / f"man{section}").glob(f"*.{section}")):
            if page.is_symlink():
                continue  # another name of a page
            name, text = page.stem, plain_text(page)
            file_name = name.replace("+", "p") + f".{section}.md"
            (pages / "man" / file_name).write_text(f"# {name}({section})\n\n```text\n{text}\n```\n", encoding="utf-8")
            index.append(f"* [{name}]({file_name}): {title_of(text, name)}")
        index.append("")
    (pages / "man" / "index.md").write_text("\n".join(index), encoding="utf-8")


def main():
    docs, man, output = map(Path, sys.argv[1:4])
    missing = [command for command in ("mkdocs", "groff") if not shutil.which(command)]
    if missing:
        sys.exit(f"site.py: the site needs {' and '.join(missing)} (packages mkdocs, groff-base); the pages can be read in docs/")
    stage = output / "site-pages"
    shutil.rmtree(stage, ignore_errors=True)
    pages = stage / "pages"
    pages.mkdir(parents=True)
    copy_pages(docs, pages)
    write_man_pages(man, pages)
    shutil.copy(docs / "mkdocs.yml", stage)
    return subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--clean", "-f", stage / "mkdocs.yml"]).returncode


if __name__ == "__main__":
    sys.exit(main())
