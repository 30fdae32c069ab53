#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every link of the documents to a file or a heading of the tree leads somewhere, and every path in them exists."""
import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)")
OUTSIDE = re.compile(r"[a-z]+:")
FOLDERS = "bench cmake docs examples include launch scripts sim src test toolchain".split()
PATH = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./+-]*)`")  # a path with NAME or NUMBER in it stands for several


def without_code(text):
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(path):
    """Names of the headings as the site and code hosts make them: lower case, words and hyphens."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def broken_links(path):
    for link in LINK.findall(without_code(path.read_text(encoding="utf-8"))):
        if OUTSIDE.match(link):
            continue
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        if not target.exists():
            yield f"{path}: {link}: no such file"
        elif anchor and anchor not in anchors(target):
            yield f"{path}: {link}: no such heading"


def wrong_paths(path, root):
    for name in PATH.findall(path.read_text(encoding="utf-8")):
        if not re.search(r"[A-Z]{4}", name.removesuffix("README.md").removesuffix("CMakeLists.txt")) and \
                not any(place.joinpath(name).exists() for place in (root, path.parent, *path.parent.parents)):
            yield f"{path}: {name}: no such file"


def main():
    root = Path(sys.argv[1])
    documents = [*sorted(root.glob("*.md")), *(path for folder in FOLDERS for path in sorted((root / folder).rglob("*.md")))]
    count = sum(len(LINK.findall(without_code(path.read_text(encoding="utf-8")))) for path in documents)
    broken = [line for path in documents for line in [*broken_links(path), *wrong_paths(path, root)]]
    for line in broken:
        print(line, file=sys.stderr)
    print(f"{len(documents)} documents, {count} links, {len(broken)} broken")
    return 1 if broken or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
