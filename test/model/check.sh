#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Model-checks a protocol with spin: it must hold, and each deliberate mistake must be found (a model that cannot fail proves
# nothing). The model's lines "// check: holds|fails OPTIONS..." say which. Usage: check.sh MODEL.pml
set -eu
model=$(realpath "$1")
command -v spin >/dev/null || { echo "check.sh: spin is not installed" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
name=$(basename "$model")

# verify EXPECTED OPTIONS...: EXPECTED is holds or fails
verify() {
    # A hash table of 2^26 entries from the start: to grow it costs a third of the time of the largest models.
    expected=$1 optimize=-O1 table=-w26
    shift
    if [ "$expected" = fails ]; then optimize=-O0 table=-w20; fi # soon found
    spin -a "$@" "$model" >spin.log 2>&1 || { cat spin.log >&2; exit 1; }
    ${CC:-cc} $optimize -w -DSAFETY -DMEMLIM=4000 -o pan pan.c
    ./pan -m200000 $table >pan.log 2>&1 || true
    if grep -q 'errors: 0' pan.log && ! grep -q 'max search depth too small\|out of memory' pan.log; then
        outcome=holds
    else
        outcome=fails
    fi
    echo "$name${*:+ $*}: $outcome, $(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log) states"
    if [ "$outcome" != "$expected" ]; then
        echo "check.sh: $name${*:+ $*} should be: $expected" >&2
        cat pan.log >&2
        exit 1
    fi
    rm -f pan pan.* ./*.trail
}

sed -n 's|^// check: ||p' "$model" >checks
grep -q '^holds' checks && grep -q '^fails' checks ||
    { echo "check.sh: $name: needs lines \"// check: holds\" and \"// check: fails -DMISTAKE\"" >&2; exit 1; }
while read -r expected options; do
    # shellcheck disable=SC2086 # options are words
    verify "$expected" $options </dev/null
done <checks
