// SPDX-License-Identifier: BSD-3-Clause
// Implements the routines that return information about the library and the job, shmem_global_exit, and shmem_pcontrol.
#include "internal.h"

#define SKERRY_READING_SYMBOLS
#include "api.h"
#include "setup.h"

struct skerry_library skerry_library;

SKERRY_DEFINE(void, shmem_query_initialized, (int *initialized)) {
    SKERRY_WHEN_CHECKING(skerry_check_result(__func__ + 1, "initialized", initialized))
    *initialized = skerry_library.initializations > 0;
}

SKERRY_DEFINE(void, shmem_query_thread, (int *provided)) {
    SKERRY_WHEN_CHECKING(skerry_check_result(__func__ + 1, "provided", provided))
    *provided = skerry_library.thread_level;
}

SKERRY_DEFINE(SKERRY_NORETURN void, shmem_global_exit, (int status)) {
    skerry_job_exit(status);
}

SKERRY_DEFINE(int, shmem_pe_accessible, (int pe)) {
    SKERRY_WHEN_CHECKING(skerry_check_running(__func__ + 1))
    return pe >= 0 && pe < skerry_pe_count();
}

SKERRY_DEFINE(int, shmem_addr_accessible, (const void *addr, int pe)) {
    SKERRY_WHEN_CHECKING(skerry_check_running(__func__ + 1))
    return pe >= 0 && pe < skerry_pe_count() && skerry_is_symmetric(addr, 1);
}

SKERRY_DEFINE(void *, shmem_ptr, (const void *dest, int pe)) {
    SKERRY_WHEN_CHECKING(skerry_check_running(__func__ + 1))
    if (pe < 0 || pe >= skerry_pe_count() || !skerry_is_near(pe) || !skerry_is_symmetric(dest, 1)) return 0;
    return skerry_global(dest, pe);
}

SKERRY_DEFINE(void, shmem_info_get_version, (int *major, int *minor)) {
    SKERRY_WHEN_CHECKING(skerry_check_result(__func__ + 1, "major", major))
    SKERRY_WHEN_CHECKING(skerry_check_result(__func__ + 1, "minor", minor))
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
}

SKERRY_DEFINE(void, shmem_info_get_name, (char *name)) {
    static const char vendor[] = SHMEM_VENDOR_STRING;
    _Static_assert(sizeof vendor <= SHMEM_MAX_NAME_LEN, "the vendor string has its documented length");
    SKERRY_WHEN_CHECKING(skerry_check_result(__func__ + 1, "name", name))
    for (size_t i = 0; i < sizeof vendor; i++) name[i] = vendor[i];
}

SKERRY_DEFINE(void, shmem_pcontrol, (int level, ...)) {
    (void)level;
}
