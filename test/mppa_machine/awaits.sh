#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that waits for one on another cluster, which has ended or was never started, ends the job with a line, if the master
# waits too. If the master starts the next program there, the wait ends. The programs are those of ../mppa/awaits.sh.
# Usage: awaits.sh FOLDER, which has oshcc and oshrun, SOURCES
. "$(dirname "$0")/common.sh"
sources=$2/test/mppa
oshcc --machine mppa --mppa=io -O2 "$sources/awaits_io.c" -o awaits_io
oshcc --machine mppa --mppa=cluster -O2 "$sources/awaits_cluster.c" -o awaits_cluster
run() { # words of awaits_io; the output is in `out`, the exit code in $code
    code=0
    oshrun --machine mppa --quiet --max-cycles 60000000 ./awaits_io "$@" >out 2>&1 || code=$?
}
awaits() { # start of the line, words of awaits_io
    line=$1
    shift
    run "$@"
    [ "$code" -eq 1 ] &&
        grep -q "^skerry: PE $line, whose program has ended or was never started, while the master waits too\$" out ||
        fail "$*: exit code $code: $(cat out)"
}
awaits '0: mppa_async_put: waits for cluster 1' 'none put' 0
awaits '0: mppa_async_get: waits for cluster 1' 'none get' 0
awaits '0: mppa_async_fetchadd: waits for cluster 1' 'none atomic' 0
awaits '0: mppa_rpc_barrier: waits for cluster 1' 'none barrier' 0
for delay in 0 300 20000; do
    awaits '1: mppa_async_put: waits for cluster 1' put $delay after
    awaits '1: mppa_async_get: waits for cluster 1' get $delay after
    awaits '1: mppa_async_postadd: waits for cluster 1' atomic $delay after
    awaits '1: mppa_async_peek: waits for cluster 2' never $delay
    for order in '' after; do
        # shellcheck disable=SC2086
        {
            awaits '1: mppa_rpc_barrier: waits for cluster 1' barrier $delay $order
            awaits '1: mppa_rpc_barrier_all: waits for cluster 1' 'barrier of all' $delay $order
            awaits '1: mppa_rpc_barrier_all: waits for cluster 1' event $delay $order
            awaits '1: mppa_rpc_barrier_all: waits for cluster 1' server $delay $order
            awaits '0: mppa_rpc_barrier: waits for cluster 1' master $delay $order
        }
    done
    for what in 'next round' 'next of cluster 1' 'next after a put' thread; do
        run "$what" $delay
        [ "$code" -eq 0 ] && [ "$(cat out)" = well ] || fail "$what $delay: exit code $code: $(cat out)"
    done
    run put $delay # it either arrives while cluster 1 runs, or waits
    [ "$code" -le 1 ] || fail "put $delay: exit code $code: $(cat out)"
done
