// SPDX-License-Identifier: BSD-3-Clause
// Checks that all members of a group call the same collective with the same arguments, before the collective begins.
// 1. Each member publishes a record of its call (check_record.c).
// 2. It waits until all members have published a record for the same group (check_await.c, between nodes check_far.c).
//    If PEs wait for each other in a circle, none of them can go on. A PE that finds itself in such a circle reports the
//    deadlock (check_circle.c).
// 3. It compares its record with the record of member 0 (check_compare.c).
// 4. The collective begins after all comparisons.
#include "check_record.h"

#include "../primitive/barrier.h"

static bool works_in_place(const char *routine) {
    return skerry_check_contains(routine, "_reduce") || skerry_check_contains(routine, "_to_all") ||
           skerry_check_contains(routine, "scan");
}

// Checks that `dest` and `source` do not overlap. If both are the same array, the collective works in place:
// - Reductions and scans are allowed to work in place.
// - A broadcast in place breaks the specification but has the intended result. The function only writes a warning.
// - A collect or an all-to-all in place is an error: the collective would read data that other members have
//   overwritten.
static void check_apart(const char *routine, const void *dest, size_t dest_bytes, const void *source,
                        size_t source_bytes) {
    uintptr_t to = skerry_check_place(dest), from = skerry_check_place(source);
    if (to == from && works_in_place(routine)) return;
    if (!skerry_check_overlap(to, dest_bytes, from, source_bytes)) return;
    if (to != from || !skerry_check_contains(routine, "broadcast"))
        SKERRY_CHECK_FAIL(routine, "dest @ of # bytes, source @ of # bytes: must not overlap", (long)(uintptr_t)dest,
                          (long)dest_bytes, (long)(uintptr_t)source, (long)source_bytes);
    skerry_check_warn_in_place(routine, dest);
}

static void check_side(const char *routine, const char *name, const void *address, size_t count, size_t size,
                       bool writes) {
    skerry_check_own_elements(routine, name, address, count, size);
    skerry_check_not_pending(routine, name, skerry_check_place(address), count * size, writes);
}

static void check_arguments(const char *routine, const struct skerry_collective_call *call) {
    if (skerry_check_contains(routine, "alltoalls"))
        for (int i = 1; i < SKERRY_CHECK_AGREED; i++)
            if ((int64_t)call->agreed[i] < 1)
                SKERRY_CHECK_FAIL(routine, i == 1 ? "dst #: must be at least 1" : "sst #: must be at least 1",
                                  (long)call->agreed[i]);
    check_side(routine, "dest", call->dest, call->dest_count, call->size, true);
    check_side(routine, "source", call->source, call->source_count, call->size, false);
    check_apart(routine, call->dest, call->dest_count * call->size, call->source, call->source_count * call->size);
}

void skerry_check_sync_array(const char *routine, const long *array) {
    skerry_check_running(routine);
    if (!array) skerry_check_fail(routine, "pSync: must be a symmetric work array, not NULL", 0, 0);
    skerry_check_symmetric(routine, "pSync", array, SHMEM_SYNC_SIZE, sizeof(long));
    skerry_check_own_elements(routine, "pSync", array, SHMEM_SYNC_SIZE, sizeof(long));
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++) {
        long word = __atomic_load_n(&array[i], __ATOMIC_RELAXED);
        if (word != SHMEM_SYNC_VALUE)
            SKERRY_CHECK_FAIL(routine,
                              "pSync @: element # is #, and must be SHMEM_SYNC_VALUE; the array is still in use, or "
                              "was never initialised",
                              (long)(uintptr_t)array, i, word);
    }
}

void skerry_check_reduce_array(const char *routine, const void *array, int count, size_t size) {
    if (!array) skerry_check_fail(routine, "pWrk: must be a symmetric work array, not NULL", 0, 0);
    int elements = count / 2 + 1 > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? count / 2 + 1 : SHMEM_REDUCE_MIN_WRKDATA_SIZE;
    skerry_check_symmetric(routine, "pWrk", array, (size_t)(unsigned)elements * size, 1);
}

// Checks the destination of a collect, which receives the blocks of all members: `bytes` bytes.
static void check_collected(const char *routine, const struct skerry_collective_call *call, size_t bytes) {
    if (!call->dest || call->dest_count) return;
    check_side(routine, "dest", call->dest, bytes / call->size, call->size, true);
    check_apart(routine, call->dest, bytes, call->source, call->source_count * call->size);
}

// Executes a barrier of the group's members on this node.
static void node_barrier(struct skerry_group *group) {
    struct skerry_levels *levels = SKERRY_LEVELS(group);
    skerry_barrier(levels ? &levels->node : group);
}

void skerry_check_collective(const char *routine, struct skerry_group *group,
                             const struct skerry_collective_call *call) {
    skerry_check_running(routine);
    skerry_check_may_wait(routine);
    check_arguments(routine, call);
    if (group->size == 1) {
        skerry_check_heap(routine);
        return;
    }
    // A record stays published until every member has compared: a member enters the first barrier after its own
    // comparison. Between the two barriers a member sets COMPARED, so that no PE takes its record for a record of the
    // next collective. The second barrier makes this early enough: a member leaves the second barrier, and begins the
    // next collective, after all members of its node have set COMPARED. PEs of other nodes read a record only in searches
    // for circles. A record that is too old can only hide a circle there, and only for a moment.
    struct skerry_check_record *mine = skerry_check_publish(routine, group, call), first;
    skerry_check_await_all(mine, group, &first);
    skerry_check_heap(routine); // after the wait, so that it also checks what other members put before they arrived
    if (group->rank > 0) skerry_check_compare(mine, &first, skerry_check_member(mine, 0));
    check_collected(routine, call, first.all_source_bytes);
    skerry_barrier(group);
    skerry_check_set_state(mine, SKERRY_CHECK_COMPARED);
    node_barrier(group);
    skerry_check_set_state(mine, SKERRY_CHECK_FREE);
}
