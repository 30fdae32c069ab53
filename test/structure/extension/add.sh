#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Adds shmem_atomic_fetch_max, a typed atomic that the specification does not have, to a copy of the tree, and checks that
# at most 6 files change and that all forms of the routine work. Usage: add.sh ROOT OSHRUN LIBRARY
# LIBRARY is libskerry.a; the program gets the atomics from the copy. CC, NM and PYTHON name programs.
set -eu
root=$1 oshrun=$2 library=$3
here=$root/test/structure/extension
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/test"
cp -r "$root/include" "$root/src" "$root/scripts" "$work"
cp -r "$root/test/spec" "$root/test/shmem" "$work/test"
cd "$work"

fail() {
    echo "add.sh: $*" >&2
    exit 1
}

patch -p1 -s -F0 <"$here/fetch_max.patch" ||
    fail "the patch does not fit any more: apply it by hand and make it again (test/structure/extension/README.md)"
files=$(grep -c '^+++ ' "$here/fetch_max.patch")
[ "$files" -le 6 ] || fail "$files files changed, at most 6 expected"

ln -s ../src include/skerry
# The symbols: each name that the second table, facts.py, requires.
"${CC:-cc}" -std=gnu11 -O0 -w -DSKERRY_BUILD -Iinclude -c src/shmem/amo.c -o amo.o
"${NM:-nm}" --defined-only --format=posix amo.o | cut -d' ' -f1 >symbols
for option in "" --pshmem; do
    # shellcheck disable=SC2086 # no word if empty
    "${PYTHON:-python3}" test/spec/facts.py --names $option
done | tr ' ' '\n' | grep fetch_max >names
[ "$(wc -l <names)" -eq 48 ] || fail "$(wc -l <names) names instead of 12 types with and without context, twice"
while read -r name; do
    grep -qx "$name" symbols || fail "$name is not defined in amo.o"
done <names

# The man page with its prototypes.
"${PYTHON:-python3}" scripts/make-man man >man.log 2>&1 || fail "make-man: $(head -3 man.log)"
page=$(find man -name 'shmem_atomic_fetch_max.3*')
[ -n "$page" ] || fail "no man page"
grep -q 'shmem_ctx_' "$page" || fail "the man page has no prototype with a context"

# A program, with the inline functions and the type-generic name, and then with the symbols.
for flags in -O2 "-O1 -DSKERRY_NO_INLINE"; do
    # shellcheck disable=SC2086 # words
    "${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -Iinclude test/shmem/amo_fetch_max.c $flags -o program amo.o "$library" >cc.log 2>&1 ||
        fail "the program cannot be compiled ($flags): $(head -3 cc.log)"
    "$oshrun" -n 3 --timeout 30 ./program || fail "the program failed ($flags)"
done
