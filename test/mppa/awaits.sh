# SPDX-License-Identifier: BSD-3-Clause
# A program that waits for one on another cluster, which has ended or was never started, ends the job with one line, if the
# master waits too. If the master starts the next program there, the wait ends. ../mppa_machine/programs.sh runs the same programs.
. "$(dirname "$0")/common.sh"
io awaits_io
cluster awaits_cluster
awaits() { # start of the line, words of awaits_io
    line=$1
    shift
    run ./awaits_io "$@"
    expect_code 1 "$*"
    expect_line "skerry: PE $line, whose program has ended or was never started, while the master waits too"
}
awaits '0: mppa_async_put: waits for cluster 1' 'none put' 0
awaits '0: mppa_async_get: waits for cluster 1' 'none get' 0
awaits '0: mppa_async_fetchadd: waits for cluster 1' 'none atomic' 0
awaits '0: mppa_rpc_barrier: waits for cluster 1' 'none barrier' 0
for delay in 0 100000 30000000; do
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
        run ./awaits_io "$what" $delay
        expect_code 0 "$what $delay"
        expect_out well
    done
    run ./awaits_io put $delay # it either arrives while cluster 1 runs, or waits
    [ "$code" -le 1 ] || fail "put $delay: exit code $code: $(cat err)"
done
finish
