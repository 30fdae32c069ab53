// SPDX-License-Identifier: BSD-3-Clause
// A call before shmem_init.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: twice: RPC: called before shmem_init or aos_init
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    int got = (int)twice_rpc(data);
    shmem_init();
    shmem_finalize();
    return got;
}
