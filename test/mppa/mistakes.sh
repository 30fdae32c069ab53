# SPDX-License-Identifier: BSD-3-Clause
# Wrong use gives one line that names the routine, the argument and the rule.
. "$(dirname "$0")/common.sh"
io mistakes_io
cluster killed_cluster
mistake() { # which, line
    run ./mistakes_io "$1"
    expect_code 1 "$1"
    expect_line "skerry: PE 0: $2"
}
mistake many 'mppa_rpc_server_init: nb_cluster 17: must be 1 to 16'
mistake early 'mppa_async_poke: called before mppa_async_server_init *'
mistake client 'mppa_rpc_client_init: this program runs on a cluster: *'
mistake cluster 'mppa_power_base_spawn: cluster 16: *'
mistake again 'mppa_async_segment_create: ident 5 is already used by another segment'
mistake barrier 'mppa_rpc_barrier_all: only a program on a cluster may call this routine; *'
mistake shmem 'shmem_init: this job runs several programs; *'
mistake free 'mppa_async_free: offset 0x1000: must be the start of a block *'
run ./mistakes_io missing
expect_code 0 missing
expect_out -1
expect_line 'skerry: PE 0: cannot start there_is_no_such_program for cluster 0: there is no such program in this program*'
run ./mistakes_io bounds
expect_code 0 bounds
expect_out -1
run ./killed_cluster segv
expect_code 1 "a cluster's program alone"
expect_line 'skerry: PE 0: mppa_rpc_client_init: this program runs on a cluster: *'
run "$oshrun" -n 2 ./mistakes_io none
expect_code 1 "two masters"
expect_each_line 'skerry: PE [01]: mppa_rpc_server_init: *'
if [ -f "$SKERRY_BIN/../lib/skerry/network/ucx.so" ]; then
    SKERRY_NODES=2 run "$oshrun" -n 2 ./mistakes_io none
    expect_code 1 "two nodes"
    expect_each_line 'skerry: PE [01]: mppa_rpc_server_init: *'
fi
run "$SKERRY_BIN/oshcc" --mppa=nothing "$here/mistakes_io.c"
expect_code 2 "oshcc --mppa=nothing"
expect_line 'oshcc: --mppa=nothing: must be io, cluster or host'
finish
