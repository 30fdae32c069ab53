// SPDX-License-Identifier: BSD-3-Clause
// A remote procedure calls a function with data of another node and would have to wait for the result: an error message says so.
// pes: 2 3
// nodes: only
// expect-exit: 1
// expect-stderr: ^skerry: PE [1-9][0-9]*: leaf: RPC: a remote procedure or a handler must not wait for a reply from another node, and PE 0 is on another node
#include "rpc.h"

static long data[1];

static long leaf(long *at) {
    return *localize(at);
}
RPC(leaf)

static long middle(long *at, long *back) {
    return *localize(at) + leaf_rpc(back);
}
RPC(middle)

int main(void) {
    test_begin();
    if (me == 0) middle_rpc(address_at(data, pes - 1), address_at(data, 0));
    shmem_barrier_all();
    return test_end();
}
