// SPDX-License-Identifier: BSD-3-Clause
// A wait for any of several words that nobody will change.
#include <shmem.h>

static int words[4];

int main(void) {
    shmem_init();
    shmem_int_wait_until_any(words, 4, NULL, SHMEM_CMP_NE, 0);
    shmem_finalize();
    return 0;
}
