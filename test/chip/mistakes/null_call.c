// SPDX-License-Identifier: BSD-3-Clause
// A call through a null pointer, which is the address where a core begins.
#include <shmem.h>

static void (*volatile handler)(void);

int main(void) {
    shmem_init();
    handler();
    shmem_finalize();
    return 0;
}
