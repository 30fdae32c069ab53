// SPDX-License-Identifier: BSD-3-Clause
// No array of events.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_wait_all: events: must not be NULL, because count is 2
#include <shmemx.h>

int main(void) {
    shmem_init();
    shmemx_rpc_wait_all(NULL, 2, NULL);
    shmem_finalize();
    return 0;
}
