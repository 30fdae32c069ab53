#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Model-checks a protocol with spin: the protocol must hold, and spin must find each deliberate mistake (a model that cannot
# fail proves nothing). The model's lines "// check: holds|fails OPTIONS..." say which. "// check: large OPTIONS..." holds
# too, but has so many states that it is verified only with --large, which verifies nothing else.
# Usage: check.sh [--large] MODEL.pml
set -eu
large=no
if [ "$1" = --large ]; then large=yes && shift; fi
model=$(realpath "$1")
command -v spin >/dev/null || { echo "check.sh: spin is not installed" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
name=$(basename "$model")

# Most configurations have so few states that an optimising compiler takes longer than the whole verification. tcc compiles
# the verifier in a few milliseconds. verify_quickly gives its run one second of processor time, and fails if that is too short.
verify_quickly() {
    [ $large = no ] && command -v tcc >/dev/null || return 1
    tcc -w -DSAFETY -DMEMLIM=4000 -o pan pan.c || return 1
    (ulimit -t 1 && exec ./pan -m200000 -w20) >pan.log 2>&1 || true
    grep -q 'errors: [0-9]' pan.log
}

# The hash table has room for most states from the start: to let it grow costs a third of the time of the largest models.
verify_optimized() {
    if [ $large = yes ]; then table=-w26; else table=-w24; fi
    ${CC:-cc} -O1 -w -DSAFETY -DMEMLIM=4000 -o pan pan.c
    ./pan -m200000 $table >pan.log 2>&1 || true
}

# verify EXPECTED OPTIONS...: EXPECTED is holds or fails
verify() {
    expected=$1
    shift
    spin -a "$@" "$model" >spin.log 2>&1 || { cat spin.log >&2; exit 1; }
    verify_quickly 2>/dev/null || verify_optimized
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
    if [ "$expected" = large ]; then is_large=yes expected=holds; else is_large=no; fi
    # shellcheck disable=SC2086 # options are words
    if [ $is_large = $large ]; then verify "$expected" $options </dev/null; fi
done <checks
