#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every link of the documents to a file or a heading of the tree leads somewhere."""
import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)")
OUTSIDE = re.compile(r"[a-z]+:")


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


def main():
    root = Path(sys.argv[1])
    documents = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    count = sum(len(LINK.findall(without_code(path.read_text(encoding="utf-8")))) for path in documents)
    broken = [line for path in documents for line in broken_links(path)]
    for line in broken:
        print(line, file=sys.stderr)
    print(f"{len(documents)} documents, {count} links, {len(broken)} broken")
    return 1 if broken or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
