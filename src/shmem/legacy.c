// SPDX-License-Identifier: BSD-3-Clause
// Defines the routines with the oldest names of the interface, such as shmalloc and _my_pe. An error message names such
// a routine by the old name if the program calls it before shmem_init or after shmem_finalize. All other error messages
// use the newer name.
#include "internal.h"

static void require_running(const char *routine) {
    if (skerry_library.initializations == 0) skerry_fail(routine, skerry_not_running());
}

int _my_pe(void) {
    SKERRY_WHEN_CHECKING(require_running(__func__))
    return skerry_my_pe();
}

int _num_pes(void) {
    SKERRY_WHEN_CHECKING(require_running(__func__))
    return skerry_pe_count();
}

void *shmalloc(size_t size) {
    require_running(__func__);
    return shmem_malloc(size);
}

void shfree(void *ptr) {
    require_running(__func__);
    shmem_free(ptr);
}

void *shrealloc(void *ptr, size_t size) {
    require_running(__func__);
    return shmem_realloc(ptr, size);
}

void *shmemalign(size_t alignment, size_t size) {
    require_running(__func__);
    return shmem_align(alignment, size);
}

static void finalize_at_exit(void) {
    while (skerry_library.initializations > 0) shmem_finalize();
}

// Initialises the library as shmem_init does. The program need not call shmem_finalize, because the library calls it
// when the program ends. A call has no effect if the library is already initialised, or if start_pes was called before.
void start_pes(int npes) {
    static bool started;
    (void)npes;
    if (started || skerry_library.initializations > 0) return;
    started = true;
    shmem_init();
    skerry_at_exit(finalize_at_exit);
}
