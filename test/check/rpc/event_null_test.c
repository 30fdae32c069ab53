// SPDX-License-Identifier: BSD-3-Clause
// Testing no event.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_test: event: must not be NULL
#include <shmemx.h>

int main(void) {
    shmem_init();
    shmemx_rpc_test(NULL, NULL);
    shmem_finalize();
    return 0;
}
