// SPDX-License-Identifier: BSD-3-Clause
// Waiting for no event.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_wait: event: must not be NULL
#include <shmemx.h>

int main(void) {
    shmem_init();
    shmemx_rpc_wait(NULL, NULL);
    shmem_finalize();
    return 0;
}
