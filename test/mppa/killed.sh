# SPDX-License-Identifier: BSD-3-Clause
# A cluster that dies takes the job down with one line; so does one that ends while others wait for it; the master's death leaves
# nothing.
. "$(dirname "$0")/common.sh"
io killed_io
cluster killed_cluster
for start in ./killed_io "$oshrun ./killed_io"; do
    # shellcheck disable=SC2086
    run $start segv
    expect_code 139 "$start segv"
    expect_line 'skerry: cluster 1 (killed_cluster, process *) was killed by signal 11 (Segmentation fault): address 0x10; job stopped'
    # shellcheck disable=SC2086
    run $start kill
    expect_code 137 "$start kill"
    expect_line 'skerry: cluster 1 (killed_cluster, process *) was killed by signal 9 (Killed); job stopped'
    # shellcheck disable=SC2086
    run $start abort
    expect_code 134 "$start abort"
    expect_line 'skerry: cluster 1 (killed_cluster, process *) was killed by signal 6 (Aborted); job stopped'
    # shellcheck disable=SC2086
    run $start mistake
    expect_code 1 "$start mistake"
    expect_line 'skerry: PE 2: mppa_async_default_segment: server 77: *'
    # shellcheck disable=SC2086
    run $start exit
    expect_code 1 "$start exit"
    expect_line 'skerry: PE [13]: mppa_rpc_barrier_all: waits for cluster 1, whose program has ended or was never started, while the master waits too'
    grep -q 'not reached' out && fail "$start exit: the master went on"
    expect_gone killed_cluster
done
for start in ./killed_io "$oshrun ./killed_io"; do
    # shellcheck disable=SC2086
    run $start leave # the end of the master ends all programs
    expect_code 0 "$start leave"
    [ ! -s err ] || fail "$start leave: $(cat err)"
    expect_gone killed_cluster
done
# The master. The background process empties the file perhaps later than the next command reads it.
: >out
./killed_io wait >out 2>err &
job=$!
cluster_runs() { grep -q 'in cluster 1' out; }
wait_until cluster_runs || wait_until cluster_runs || fail "killed_io wait: cluster 1 printed nothing within 20 s"
master=$(sed -n 's/^master //p' out)
kill -9 "${master:-$job}"
wait 2>/dev/null
expect_gone killed_cluster
expect_gone killed_io
finish
