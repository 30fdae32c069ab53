// SPDX-License-Identifier: BSD-3-Clause
// The thread level has nowhere to be stored.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_query_thread: provided: must not be NULL
#include <shmem.h>

int main(void) {
    shmem_init();
    shmem_query_thread(NULL);
    shmem_finalize();
    return 0;
}
