#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A wait for another cluster that can never end gives the simulator's deadlock report, although all programs run: with the
# routine, the clusters that wait and the cluster that is missing. A wait that ends late is not reported.
# Usage: deadlock.sh FOLDER, which has oshcc and oshrun, SOURCES
. "$(dirname "$0")/common.sh"
sources=$2/test/mppa_machine
oshcc --machine mppa --mppa=io -O2 -g "$sources/deadlock_io.c" -o deadlock_io
oshcc --machine mppa --mppa=cluster -O2 -g "$sources/deadlock_cluster.c" -o deadlock_cluster
reports() { # word of deadlock_io, lines that the report must have
    what=$1
    shift
    code=0
    oshrun --machine mppa --quiet --max-cycles 60000000 ./deadlock_io "$what" >out 2>&1 || code=$?
    [ "$code" -eq 124 ] && grep -q '^skerry-sim: deadlock in cycle' out || fail "$what: exit code $code: $(cat out)"
    for line in "$@"; do grep -qxF -- "$line" out || fail "$what: no line \"$line\": $(cat out)"; done
}
reports barrier '  mppa_rpc_barrier: 2 of 3 programs have arrived, and wait: clusters 0, 2; missing: cluster 1'
grep -q 'of cluster 0 (deadlock_cluster) at .* called from main at deadlock_cluster.c:[0-9]*: polls .*<skerry_board' out ||
    fail "no place of the waiting program: $(cat out)"
reports 'barrier of all' '  mppa_rpc_barrier_all: 2 of 3 programs have arrived, and wait: clusters 0, 2; missing: cluster 1'
reports 'with master' '  mppa_rpc_barrier: 3 of 4 programs have arrived, and wait: clusters 0, 1, 2; missing: an I/O program'
reports clone '  mppa_async_segment_clone: cluster 0 waits for segment 51, which no program has created' \
    '  mppa_async_segment_clone: cluster 2 waits for segment 51, which no program has created'
reports 'barrier of unknown' '  mppa_rpc_barrier_all: cluster 0 waits until the master calls mppa_rpc_server_init'
reports uninitialized '  cluster 0 uses the default segment of cluster 1, which runs no program that has initialized it'
reports 'clone of ended' '  mppa_async_segment_clone: cluster 0 waits for segment 51, which no program has created'
oshrun --machine mppa --quiet --max-cycles 60000000 ./deadlock_io 'late clone' >out 2>&1 && [ ! -s out ] ||
    fail "late clone: $(cat out)"
oshrun --machine mppa --quiet --max-cycles 60000000 ./deadlock_io late >out 2>&1 && [ ! -s out ] || fail "late: $(cat out)"
