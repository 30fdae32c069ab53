// SPDX-License-Identifier: BSD-3-Clause
// The minor version has nowhere to be stored.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [01]: shmem_info_get_version: minor: must not be NULL
#include <shmem.h>

static int major;

int main(void) {
    shmem_init();
    shmem_info_get_version(&major, NULL);
    shmem_finalize();
    return 0;
}
