// SPDX-License-Identifier: BSD-3-Clause
// Sets up and ends the use of the routines of aos.h (aos_init, aos_finalize). The routines need no other programming
// model, such as OpenSHMEM. The machine layer (src/machine) starts the PE, and counts how often the PE has entered and
// left the job.
#include "internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "setup.h"

struct skerry_aos skerry_aos;

#if SKERRY_FAR_MESSAGES

// Executes a dissemination barrier, for a job of several nodes. In round r each PE signals to the PE whose rank is 2^r
// higher. Each PE waits only for words in its own memory, because a PE cannot sleep until a word on another node
// changes. Only one PE stores to a PE's word of a round. It stores the number of the barrier that it has reached, which
// only grows.
static void wait_for_all_nodes(void) {
    const skerry_word barrier = (skerry_word)++skerry_aos.barriers;
    const int me = skerry_my_pe(), pes = skerry_pe_count();
    int round = 0;
    for (int distance = 1; distance < pes; distance *= 2, round++) {
        skerry_word *word = &skerry_aos.area->rounds[round];
        skerry_store_release(word, barrier, (me + distance) % pes);
        SKERRY_AOS_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(word) >= barrier, me, AOS_WAIT_DEFAULT);
    }
}

#endif

// Waits until every PE has called this function, and runs requests of other PEs meanwhile. All PEs increment one
// counter in PE 0's area (its tables). Set-up and exit are too rare for a faster barrier.
static void wait_for_all(void) {
#if SKERRY_FAR_MESSAGES
    if (skerry_has_far_pes()) {
        wait_for_all_nodes();
        return;
    }
#endif
    uint64_t wanted = ++skerry_aos.barriers * (unsigned)skerry_pe_count();
    uint64_t *arrived = &skerry_aos_area(0)->arrived;
    skerry_atomic_add_64(arrived, 1, 0);
    SKERRY_AOS_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(arrived) >= wanted, 0, AOS_WAIT_DEFAULT);
}

// Clears the tables that an earlier process of this PE has left, in a job whose PEs start and end independently.
// Meanwhile no other PE sends requests, because this PE's `state` is not SKERRY_AOS_UP yet. The sequence numbers of
// replies (places for answers) are kept. So a late answer to an old operation is not taken as the answer to a new one.
static void clear(struct skerry_aos_area *area) {
    // In a job of several nodes, a PE has no earlier process that can have left a lock taken. The locks must not be
    // cleared in such a job, because PEs of other nodes possibly use them already.
    if (!skerry_has_far_pes()) area->own_lock = area->serve_lock = 0;
    area->replies_used = area->replies_free = area->stages_in_use = 0;
#if SKERRY_PRIVATE_MEMORY
    __builtin_memset(area->faulted, 0, sizeof area->faulted);
#endif
    if (skerry_aos_can_defer()) skerry_aos_forget_deferred();
    skerry_aos_destroy_own();
}

#if SKERRY_PRIVATE_MEMORY && SKERRY_PROGRAMS_MAX > 0
// Called on PE 0 when a program that it has started has ended, possibly without aos_finalize: by exit with another code than
// 0, or by _exit. From now on nobody waits for answers of this PE. Another program can begin there only later.
static void note_end_of_program(int pe) {
    skerry_store_release_32(&skerry_aos_area(pe)->state, 0, pe);
}
#endif

static int begin(void) {
    size_t bytes;
    struct skerry_aos_area *area = skerry_table_memory(&bytes);
    if (bytes < offsetof(struct skerry_aos_area, pool)) return AOS_ERROR_MEMORY;
#if SKERRY_FAR_MESSAGES
    skerry_aos_listen();
#endif
    skerry_aos.area = area;
    clear(area);
    area->pool_is_formed = 0;
    skerry_aos_begin_serving();
#if SKERRY_PRIVATE_MEMORY && SKERRY_PROGRAMS_MAX > 0
    if (skerry_my_pe() == 0) skerry_on_program_end(note_end_of_program);
#endif
    skerry_store_release_32(&area->state, SKERRY_AOS_UP, skerry_my_pe());
    return AOS_SUCCESS;
}

static void finish_for_program(void);
static const struct skerry_model model = {"aos_init", "aos_finalize", finish_for_program};

int aos_init(uint32_t flags) {
    if (flags & ~AOS_ALONE)
        return skerry_aos_refuse_argument("aos_init", "flags @: must be 0 or AOS_ALONE (@)",
                                          (long[]){(long)flags, AOS_ALONE}, 2);
    if (skerry_aos.initializations >= SKERRY_AOS_NESTED_MAX)
        return skerry_aos_refuse("aos_init", AOS_ERROR_MEMORY, 0, 0, 0);
    bool collective = !(flags & AOS_ALONE);
    skerry_job_enter(&model);
    if (skerry_aos.initializations == 0) {
        int error = begin();
        if (error) {
            skerry_job_leave(&model);
            return error;
        }
        if (!collective) skerry_aos_poll_requests(); // other PEs reach this PE's static data by requests
    }
    skerry_aos.initializations++;
    skerry_aos.collective = skerry_aos.collective << 1 | collective;
    if (collective) {
        wait_for_all();
        skerry_job_open();
        // Data from another node can arrive at any PE of this node, which copies the data to its destination. That PE
        // must have called skerry_job_open (which makes the other PEs' memory accessible) before. So each PE waits here
        // until all PEs have called skerry_job_open.
        if (skerry_has_far_pes()) wait_for_all();
    }
    return AOS_SUCCESS;
}

static void end(void) {
    struct skerry_aos_area *area = skerry_aos.area;
#if SKERRY_PRIVATE_MEMORY
    skerry_copy_thread_end();
#endif
    skerry_aos_destroy_own();
    skerry_aos_end_serving();
    skerry_store_release_32(&area->state, 0, skerry_my_pe());
    while (skerry_aos_progress() > 0) {
    }
}

int aos_finalize(void) {
    if (skerry_aos.initializations == 0) return skerry_aos_refuse("aos_finalize", AOS_ERROR_STATE, 0, 0, 0);
    bool collective = skerry_aos.collective & 1;
#if SKERRY_PRIVATE_MEMORY
    skerry_aos_end_behind(&skerry_aos_behind.all, AOS_WAIT_DEFAULT);
    skerry_aos_tell_errors();
#endif
    aos_fence_all(0);
    if (collective) wait_for_all();
    if (skerry_aos.initializations == 1) end();
    skerry_job_leave(&model);
    skerry_aos.collective >>= 1;
    skerry_aos.initializations--;
    return AOS_SUCCESS;
}

static void finish_for_program(void) {
    if (skerry_aos.initializations == 0) return;
    skerry_job_report_unfinished(skerry_checking);
    while (skerry_aos.initializations > 0) aos_finalize();
}

int aos_my_pe(void) {
    return skerry_my_pe();
}

int aos_pe_count(void) {
    return skerry_pe_count();
}

int aos_progress(void) {
    return skerry_aos_progress();
}
