// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>

int main(void) {
    shmem_init();
    int *first = shmem_malloc(1000), *second = shmem_calloc(100, 4);
    if (!first || !second) return 1;
    first[0] = 1;
    first = shmem_realloc(first, 2000);
    const int wrong = !first || first[0] != 1 || second[99] != 0;
    shmem_free(second);
    shmem_free(first);
    shmem_finalize();
    return wrong;
}
