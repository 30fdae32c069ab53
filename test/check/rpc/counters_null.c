// SPDX-License-Identifier: BSD-3-Clause
// Counters that go nowhere.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_get_counters: counters: must not be NULL
#include <shmemx.h>

int main(void) {
    shmem_init();
    shmemx_rpc_get_counters(NULL);
    shmem_finalize();
    return 0;
}
