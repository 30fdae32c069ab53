#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The two DDRs of a master and its clusters (the programs ddrs_* of ../mppa): with and without a program on the second I/O node.
# The report's bytes of each DDR say that its transfers were its own DMA units', and that two DDRs are faster than one.
# Usage: ddrs.sh FOLDER, which has oshcc and oshrun, SOURCES
. "$(dirname "$0")/common.sh"
sources=$2/test/mppa
machine=$2/test/mppa_machine
run() { # words of the command behind oshrun's options
    code=0
    oshrun --machine mppa --quiet --max-cycles 60000000 "$@" >out 2>&1 || code=$?
}
bytes() { # I/O node, read or written, of run.json
    sed -n "s/.*\"bytes_$2\":\([0-9]*\)[^}]*\"io_node\":$1}.*/\1/p" ddr
}
for program in io:ddrs_io io:ddrs_second cluster:ddrs_cluster; do
    name=${program#*:}
    oshcc --machine mppa "--mppa=${program%:*}" -O2 -g "$sources/$name.c" -o "$name" -w || fail "$name does not compile"
done
for clusters in 1 2 16; do
    for how in alone late early; do
        run --json run.json ./ddrs_io $clusters $how
        [ "$code" -eq 0 ] && [ "$(cat out)" = well ] || fail "$clusters clusters, $how: exit code $code: $(cat out)"
        grep -o '"ddr":\[[^]]*\]' run.json | head -n 1 | tr '{' '\n' >ddr
        # What DMA units write, without the stores of cores. A program that uses both puts two blocks of 8 KB into each, except by
        # stores into that of its own I/O node, and there it gets two blocks and 128 bytes. Clusters put one more block into DDR 1.
        uses=$clusters second_uses=3
        case $how in
        alone) second_uses=0 ;;
        late) uses=$((3 * clusters)) ;;
        esac
        first=$((8192 * (2 * uses + 2 * second_uses) + 16512))
        second=$((8192 * (2 * uses + clusters + 2) + 16512 * second_uses))
        [ "$(bytes 0 written)" = $first ] && [ "$(bytes 1 written)" = $second ] ||
            fail "$clusters clusters, $how: not $first and $second bytes: $(cat ddr)"
        [ "$(bytes 1 read)" -gt $((16384 * (uses + 1))) ] || fail "$clusters clusters, $how: $(cat ddr)"
    done
done
run ./ddrs_io 1 wrong
[ "$code" -eq 1 ] && grep -q '^skerry: PE 0: mppa_async_free: segment MPPA_ASYNC_DDR_0, offset 0xb8000000: the offset is in ' out ||
    fail "a block of the other DDR: exit code $code: $(cat out)"

# 16 clusters get from one DDR, and half of them from each.
oshcc --machine mppa --mppa=io -O2 "$machine/ddrs_rate_io.c" -o rate_io
oshcc --machine mppa --mppa=cluster -O2 "$machine/ddrs_rate_cluster.c" -o ddrs_rate_cluster
run ./rate_io
[ "$code" -eq 0 ] || fail "the rates: exit code $code: $(cat out)"
read -r one both <out
[ $((10 * one)) -gt $((17 * both)) ] || fail "64 KB for each of 16 clusters: $one cycles from one DDR, $both from both"
