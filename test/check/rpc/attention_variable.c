// SPDX-License-Identifier: BSD-3-Clause
// SKERRY_ATTENTION with a word that it has not.
// pes: 2
// check: yes
// env: SKERRY_ATTENTION=loud
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: SKERRY_ATTENTION=loud: must be signal, thread or none
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    shmem_init();
    shmem_finalize();
    return (int)twice_rpc(data);
}
