// SPDX-License-Identifier: BSD-3-Clause
// Implements the records by which the members of a group announce their calls of collectives to each other. Each PE has
// a board with some records in its own memory. PEs of the same node read the records of each other there.
#include "check_record.h"

struct skerry_check_board *skerry_check_board_of(int pe) {
    return skerry_global(skerry_check_memory(), pe);
}

static bool has_state(const struct skerry_check_record *record, enum skerry_check_state state) {
    const uint32_t now = __atomic_load_n(&record->state, __ATOMIC_ACQUIRE);
    return now == (uint32_t)state || now == SKERRY_CHECK_ARRIVED;
}

int skerry_check_records_of(const struct skerry_check_board *board) {
    return (int)__atomic_load_n(&board->used, __ATOMIC_ACQUIRE);
}

void skerry_check_set_state(struct skerry_check_record *record, enum skerry_check_state state) {
    __atomic_store_n(&record->state, (uint32_t)state, __ATOMIC_RELEASE);
}

bool skerry_check_threads_may_run_at_once(void) {
    return skerry_library.thread_level == SHMEM_THREAD_MULTIPLE;
}

static uint64_t in_pe_0(const void *address) {
    return address ? (uint64_t)(uintptr_t)skerry_global(address, 0) : 0;
}

// Returns a number that distinguishes a group from other groups with the same members:
// - For a group with an area (a team), the address of the area.
// - For a group without an area (an active set), 0. Active sets with the same members count as one group.
// - For an active set with SHMEM_THREAD_MULTIPLE, the address of its work array. Several threads can then be in
//   collectives on the same members at the same time.
static uint64_t number_of(const struct skerry_group *group) {
    if (group->area) return in_pe_0(group->area);
    return skerry_check_threads_may_run_at_once() ? in_pe_0(group->work_array) : 0;
}

// The PE that owns the record can reuse the record for another collective during this call. The owner then changes the
// serial number before any other field, and the state ARRIVED after all other fields. So if the serial number is unchanged
// after the comparison, the compared fields and the state belong to one use of the record. The owner stores these fields
// with release, and readers load them with acquire, instead of a fence: skerry_fence also orders puts to other nodes, for
// which the handler of a message must not wait.
bool skerry_check_announces(const struct skerry_check_record *record, const struct skerry_check_record *of_group,
                            enum skerry_check_state state) {
    if (!has_state(record, state)) return false;
    uint64_t serial = __atomic_load_n(&record->serial, __ATOMIC_ACQUIRE);
    bool same = SKERRY_CHECK_SAME_GROUP(record, of_group);
    return same && has_state(record, state) && __atomic_load_n(&record->serial, __ATOMIC_RELAXED) == serial;
}

void skerry_check_note_use(uint64_t *used, uint64_t count) {
    uint64_t before = __atomic_load_n(used, __ATOMIC_ACQUIRE);
    while (before < count &&
           !__atomic_compare_exchange_n(used, &before, count, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        continue;
}

static struct skerry_check_record *claim_record(struct skerry_check_board *board) {
    for (int i = 0;; i = (i + 1) % SKERRY_CHECK_RECORDS) {
        uint32_t expected = SKERRY_CHECK_FREE;
        if (__atomic_compare_exchange_n(&board->records[i].state, &expected, SKERRY_CHECK_CLAIMED, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            skerry_check_note_use(&board->used, (uint64_t)(unsigned)i + 1);
            return &board->records[i];
        }
        if (i == SKERRY_CHECK_RECORDS - 1) skerry_poll_again();
    }
}

static void copy_name(char *to, const char *name) {
    size_t i = 0;
    for (; name[i] && i < SKERRY_CHECK_ROUTINE_BYTES - 1; i++) to[i] = name[i];
    to[i] = 0;
}

struct skerry_check_record *skerry_check_publish(const char *routine, const struct skerry_group *group,
                                                 const struct skerry_collective_call *call) {
    struct skerry_check_board *board = skerry_check_board_of(skerry_my_pe());
    struct skerry_check_record *record = claim_record(board);
    __atomic_store_n(&record->serial, record->serial + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&record->start, group->start, __ATOMIC_RELEASE);
    __atomic_store_n(&record->stride, group->stride, __ATOMIC_RELEASE);
    __atomic_store_n(&record->size, group->size, __ATOMIC_RELEASE);
    __atomic_store_n(&record->number, number_of(group), __ATOMIC_RELEASE);
    record->dest = in_pe_0(call->dest);
    record->source = in_pe_0(call->source);
    record->work_array = in_pe_0(group->work_array);
    record->source_bytes = call->source_count * call->size;
    for (int i = 0; i < SKERRY_CHECK_AGREED; i++) record->agreed[i] = call->agreed[i];
    copy_name(record->routine, routine);
    board->far[record - board->records].nodes = 0;
    board->far[record - board->records].source_bytes = 0;
    for (int i = 0; i < skerry_check_records_of(board); i++) {
        const struct skerry_check_record *other = &board->records[i];
        if (other != record && skerry_check_announces(other, record, SKERRY_CHECK_COMPLETE))
            skerry_check_fail(routine, "team: another thread of this PE is in a collective on the same team", 0, 0);
    }
    skerry_check_set_state(record, SKERRY_CHECK_ARRIVED);
    skerry_wake(skerry_my_pe());
    return record;
}

// The thread sanitizer does not check this function: the owner is allowed to change records of other groups during this
// call.
__attribute__((no_sanitize("thread"))) int skerry_check_find(int pe, const struct skerry_check_record *of_group,
                                                             struct skerry_check_record *found) {
    const struct skerry_check_board *board = skerry_check_board_of(pe);
    for (int i = 0; i < skerry_check_records_of(board); i++) {
        const struct skerry_check_record *record = &board->records[i];
        if (of_group ? !skerry_check_announces(record, of_group, SKERRY_CHECK_COMPLETE)
                     : !has_state(record, SKERRY_CHECK_COMPLETE))
            continue;
        *found = *record;
        return i;
    }
    return -1;
}
