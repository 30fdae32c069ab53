#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh OSHRUN PROGRAMS: the programs of `skerry bench aos` run with few and with many PEs, and what they move is right.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { # PES PROGRAM ARGUMENTS
    pes=$1 program=$2
    shift 2
    timeout 100 "$oshrun" -n "$pes" "$programs/$program" --seconds 0.001 "$@" >"$work/out" 2>&1 ||
        fail "$program with $pes PEs: $(cat "$work/out")"
    ! grep '^wrong' "$work/out" || fail "$program with $pes PEs moved wrong data"
}
fail() {
    echo "bench: $*" >&2
    exit 1
}
oshrun=$1 programs=$2
for pes in 1 2 3; do
    run $pes aos --sizes 8,65536 aos_put aos_get aos_postadd aos_fetchadd aos_block2d block2d_rows block2d_elements
    grep -q '^result aos_block2d' "$work/out" || fail "no block: $(cat "$work/out")"
done
run 2 aos aos_queue
grep -q "^result aos_queue 2 16 " "$work/out" || fail "no stream: $(cat "$work/out")"
for pes in 2 5 17; do
    run $pes segments --sizes 16,248,16384
    for name in neighbour put_external2 get_pe_blocking post_central fetch_spread queues one_put_pe; do
        grep -q "^result $name $pes " "$work/out" || fail "no $name with $pes PEs: $(cat "$work/out")"
    done
done
