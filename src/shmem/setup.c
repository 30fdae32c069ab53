// SPDX-License-Identifier: BSD-3-Clause
// Initialises and finalizes the library. The routines that query its state are in query.c.
#include "../primitive/barrier.h"
#include "collective.h"
#include "memory_internal.h"
#include "team_internal.h"

// The functions skerry_memory_begin and skerry_memory_end are weak symbols. So a program that allocates nothing need
// not contain the allocator. If SKERRY_HEAP_ON_DEMAND is 1, the first call that needs the heap sets it up (memory.c).
// This file then uses only the flag skerry_heap_has_begun.
bool skerry_heap_has_begun;
#pragma weak skerry_memory_begin
#pragma weak skerry_memory_end

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
                    "this job runs several programs; OpenSHMEM needs a job in which all PEs run the same program");
#endif
    skerry_library.ever_initialized = true;
    skerry_library.thread_level = requested;
    skerry_job_enter(&model);
    skerry_teams_begin();
    if (SKERRY_CAN_CHECK) skerry_check_announce();
    // Before this barrier a PE must access no memory of other PEs except their system memory (symmetric memory for the
    // library's own use). System memory exists already, and the barrier uses no other memory. After the barrier the
    // static data of every PE is at the address at which other PEs access it.
    skerry_barrier(&skerry_team_world.group);
    if (SKERRY_CAN_CHECK) skerry_check_share();
    skerry_job_open();
    // Data from another node for this PE can arrive at another PE of this node. Such a PE can copy the data to this
    // PE's memory only after its call of skerry_job_open. So each PE waits here until all PEs have called
    // skerry_job_open.
    if (skerry_has_far_pes()) skerry_barrier(&skerry_team_world.group);
    if (SKERRY_CAN_CHECK) skerry_check_join();
    if (!SKERRY_HEAP_ON_DEMAND && skerry_memory_begin) skerry_memory_begin();
    // A PE must not put into another PE's heap before that PE has set it up. No barrier is needed for this: the address
    // in the heap comes from a collective allocation. The other PE takes part in the allocation after it has set up its
    // heap.
    return 0;
}

SKERRY_DEFINE(int, shmem_init_thread, (int requested, int *provided)) {
    SKERRY_WHEN_CHECKING(skerry_check_result(__func__ + 1, "provided", provided))
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
        skerry_progress_now(); // runs requests that other PEs sent before the barrier
#endif
        if (!SKERRY_HEAP_ON_DEMAND && skerry_memory_end) skerry_memory_end();
        skerry_heap_has_begun = false;
        skerry_teams_end();
    }
    skerry_job_leave(&model);
    skerry_library.initializations--;
}

static void finish_for_program(void) {
    if (skerry_library.initializations == 0) return;
    skerry_job_report_unfinished(skerry_checking);
    while (skerry_library.initializations > 0) shmem_finalize();
}
