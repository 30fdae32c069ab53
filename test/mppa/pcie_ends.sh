# SPDX-License-Identifier: BSD-3-Clause
# The end of a host program ends its I/O program, and the other way round, with one line; nothing is left.
. "$(dirname "$0")/common.sh"
host pcie_host
io pcie_io
io killed_io
cluster killed_cluster
expect() { # code, line, what of the host program, I/O program and its arguments
    expected=$1
    line=$2
    what=$3
    shift 3
    run ./pcie_host "$what" all.mpk "$@"
    expect_code "$expected" "$what, $*"
    expect_line "$line"
}
expect 139 'skerry: pcie_queue_barrier: the I/O program (pcie_io) was killed by signal 11 (Segmentation fault)' barrier pcie_io crash
expect 139 'skerry: pcie_queue_exit: the I/O program (pcie_io) was killed by signal 11 (Segmentation fault)' exit pcie_io crash
expect 1 'skerry: PE 0: mppa_power_base_spawn: cluster 77: *' barrier pcie_io wrong
expect 1 'skerry: PE 0: mppa_power_base_spawn: cluster 77: *' exit pcie_io wrong
expect 7 'skerry: pcie_queue_barrier: the I/O program (pcie_io) has ended with exit code 7 before it called this routine' barrier pcie_io return
expect 1 'skerry: pcie_queue_barrier: the I/O program (pcie_io) has ended with exit code 0 before it called this routine' barrier pcie_io say
expect 1 'skerry: pcie_queue_barrier: the I/O program (pcie_io) does not call this routine: it has called pcie_queue_exit' barrier pcie_io early
expect 1 'skerry: PE 0: pcie_queue_barrier: the host program does not call this routine: it has called pcie_queue_exit' exit pcie_io barrier
expect 0 'skerry: pcie_close: the I/O program (pcie_io, process *) still runs: it is stopped now' close pcie_io spin
expect 4 'skerry: end of the host program: the I/O program (pcie_io, process *) still runs: it is stopped now' leave pcie_io spin
expect 139 'skerry: cluster 1 (killed_cluster, process *) was killed by signal 11 (Segmentation fault): address 0x10; job stopped' \
    exit killed_io segv
# The host program is killed while the I/O program computes, and while it waits in a barrier.
kill_host() {
    ./pcie_host sleep all.mpk pcie_io "$1" >out 2>err &
    job=$!
    wait_until "$2" || fail "$1: the I/O program did not start"
    kill -9 $job
    wait $job 2>/dev/null
    expect_gone pcie_io
    expect_line "skerry: PE 0: the host program (process $job) has ended; job stopped"
}
computes() { grep -q computes out; }
io_runs() { ! none_left pcie_io; }
kill_host spin computes
kill_host barrier io_runs
expect_gone pcie_host
expect_gone killed_cluster
finish
