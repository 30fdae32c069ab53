// SPDX-License-Identifier: BSD-3-Clause
// The oldest names.
#include "internal.h"

int _my_pe(void) {
    return skerry_my_pe();
}

int _num_pes(void) {
    return skerry_pe_count();
}

void *shmalloc(size_t size) {
    return shmem_malloc(size);
}

void shfree(void *ptr) {
    shmem_free(ptr);
}

void *shrealloc(void *ptr, size_t size) {
    return shmem_realloc(ptr, size);
}

void *shmemalign(size_t alignment, size_t size) {
    return shmem_align(alignment, size);
}
