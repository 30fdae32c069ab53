// SPDX-License-Identifier: BSD-3-Clause
// Set-up, exit and queries.
#include "../primitive/barrier.h"
#include "collective.h"
#include "memory_internal.h"
#include "team_internal.h"

#define SKERRY_READING_SYMBOLS
#include "api.h"
#include "setup.h"

struct skerry_library skerry_library;

// A program that allocates nothing need not have the allocator. Where the heap begins with the first call that needs it,
// only this is known of it here.
bool skerry_heap_has_begun;
extern SKERRY_PRIVATE void skerry_memory_begin(void) __attribute__((weak));
extern SKERRY_PRIVATE void skerry_memory_end(void) __attribute__((weak));

static void finish_for_program(void);
static const struct skerry_model model = {"shmem_init", "shmem_finalize", finish_for_program};

static int begin(int requested) {
    if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) return -1;
    if (skerry_library.initializations++ > 0) {
        skerry_job_enter(&model);
        return 0;
    }
#if SKERRY_PROGRAMS_MAX
    if (skerry_has_programs())
        skerry_fail("shmem_init",
                    "this job runs several programs; OpenSHMEM is for jobs in which all PEs run the same");
#endif
    skerry_library.ever_initialized = true;
    skerry_library.thread_level = requested;
    skerry_job_enter(&model);
    skerry_teams_begin();
    if (SKERRY_CAN_CHECK) skerry_check_announce();
    // Needs system memory only. After it every PE's static data is where others may reach it.
    skerry_barrier(&skerry_team_world.group);
    if (SKERRY_CAN_CHECK) skerry_check_join();
    skerry_job_open();
    if (!SKERRY_HEAP_ON_DEMAND && skerry_memory_begin) skerry_memory_begin();
    // Nobody may put into a heap that its owner has not yet begun to manage: allocation is collective, so nobody can.
    return 0;
}

SKERRY_DEFINE(int, shmem_init_thread, (int requested, int *provided)) {
    int outcome = begin(requested);
    *provided = skerry_library.thread_level;
    return outcome;
}

SKERRY_DEFINE(void, shmem_init, (void)) {
    begin(SHMEM_THREAD_SINGLE);
}

SKERRY_DEFINE(void, shmem_finalize, (void)) {
    if (skerry_library.initializations == 0) skerry_fail(__func__ + 1, skerry_not_running());
    SKERRY_WHEN_CHECKING(skerry_check_quiet(__func__ + 1); skerry_check_collective(
                             __func__ + 1, &skerry_team_world.group, &(struct skerry_collective_call){0}))
    skerry_quiet();
    skerry_barrier(&skerry_team_world.group);
    if (skerry_library.initializations == 1) {
#if SKERRY_REQUEST_PARTS
        skerry_serve_now(); // what others have asked for before they came here
#endif
        if (!SKERRY_HEAP_ON_DEMAND && skerry_memory_end) skerry_memory_end();
        skerry_heap_has_begun = false;
        skerry_teams_end();
    }
    skerry_job_leave(&model);
    skerry_library.initializations--;
}

SKERRY_DEFINE(void, shmem_query_initialized, (int *initialized)) {
    *initialized = skerry_library.initializations > 0;
}

SKERRY_DEFINE(void, shmem_query_thread, (int *provided)) {
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
    if (pe < 0 || pe >= skerry_pe_count() || !skerry_is_symmetric(dest, 1)) return 0;
    return skerry_global(dest, pe);
}

SKERRY_DEFINE(void, shmem_info_get_version, (int *major, int *minor)) {
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
}

SKERRY_DEFINE(void, shmem_info_get_name, (char *name)) {
    static const char vendor[] = SHMEM_VENDOR_STRING;
    _Static_assert(sizeof vendor <= SHMEM_MAX_NAME_LEN, "the vendor string has its documented length");
    for (size_t i = 0; i < sizeof vendor; i++) name[i] = vendor[i];
}

SKERRY_DEFINE(void, shmem_pcontrol, (int level, ...)) {
    (void)level;
}

static void finalize_at_exit(void) {
    while (skerry_library.initializations > 0) shmem_finalize();
}

static void finish_for_program(void) {
    if (skerry_library.initializations == 0) return;
    skerry_job_report_unfinished(skerry_checking);
    finalize_at_exit();
}

// The only set-up that needs no shmem_finalize; later calls have no effect.
void start_pes(int npes) {
    static bool started;
    (void)npes;
    if (started || skerry_library.initializations > 0) return;
    started = true;
    begin(SHMEM_THREAD_SINGLE);
    skerry_at_exit(finalize_at_exit);
}
