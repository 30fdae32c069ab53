// SPDX-License-Identifier: BSD-3-Clause
// Declares the records by which the members of a group check that they call the same collective (check_collective.c),
// and the functions that the files of this check share.
#ifndef SKERRY_SHMEM_CHECK_RECORD_H
#define SKERRY_SHMEM_CHECK_RECORD_H

#include "check_internal.h"

#include "../primitive/levels.h"

#define SKERRY_CHECK_ROUTINE_BYTES 56
#define SKERRY_CHECK_AGREED 3
#define SKERRY_CHECK_RECORDS 16 // number of threads of a PE that can be in collectives at the same time; others wait
#define SKERRY_CHECK_SLOTS 16   // number of groups of which other nodes can arrive before this PE does

enum skerry_check_state {
    SKERRY_CHECK_FREE,
    SKERRY_CHECK_CLAIMED,
    SKERRY_CHECK_ARRIVED,
    SKERRY_CHECK_COMPLETE,
    SKERRY_CHECK_COMPARED
};

// One member's call of a collective. Only the PE that owns a record writes it. The state ARRIVED publishes the record:
// the owner stores the state with release, and readers load it with acquire. COMPLETE is the state of the record of a
// node's leader (its first member) when all members of the group have arrived.
struct skerry_check_record {
    uint32_t state;
    int32_t start, stride, size;
    uint64_t serial; // number of uses of this record; with 32 bits it could wrap round while another PE reads
    uint64_t number; // distinguishes groups that have the same members (number_of)
    uint64_t dest, source, work_array; // as addresses in PE 0's memory, so that PEs can compare them
    uint64_t source_bytes;
    uint64_t all_source_bytes; // sum of `source_bytes` of all members; known when the state is COMPLETE
    uint64_t agreed[SKERRY_CHECK_AGREED];
    char routine[SKERRY_CHECK_ROUTINE_BYTES];
};

// Words that belong to a record, for groups with members on several nodes. Written by processes of this PE's node that
// handle messages of other nodes (check_far.c).
struct skerry_check_far {
    // Member 0: number of other nodes that have arrived, and the sum of the bytes of their members' sources.
    uint64_t nodes, source_bytes;
    // Leader of another node than that of member 0: the reply to its message, and then the record of member 0.
    uint64_t reply;
    struct skerry_check_record first;
};

// Arrivals of other nodes for a group of which this PE is member 0, before this PE has published its own record.
struct skerry_check_slot {
    uint64_t state; // number of uses times 4, plus FREE, CLAIMED or ARRIVED
    int32_t start, stride, size;
    uint64_t number;
    uint64_t nodes, source_bytes; // as in struct skerry_check_far
};

struct skerry_check_board {
    struct skerry_check_job job; // words for the whole job, used only in PE 0's board (check_report.c)
    uint64_t used;               // records[0] to records[used - 1] have been in use; the others never
    uint64_t used_slots;         // the same for the slots
    struct skerry_check_record records[SKERRY_CHECK_RECORDS];
    struct skerry_check_far far[SKERRY_CHECK_RECORDS]; // far[i] belongs to records[i]
    struct skerry_check_slot slots[SKERRY_CHECK_SLOTS];
};
_Static_assert(sizeof(struct skerry_check_board) <= SKERRY_CHECK_BYTES, "a board fits the memory reserved for it");

// -- Records (check_record.c) ------------------------------------------------------------------------------------------

SKERRY_PRIVATE struct skerry_check_board *skerry_check_board_of(int pe);
SKERRY_PRIVATE void skerry_check_set_state(struct skerry_check_record *record, enum skerry_check_state state);

// Publishes a record of this PE's call. Ends the job if another thread of this PE is in a collective of the same group.
SKERRY_PRIVATE struct skerry_check_record *skerry_check_publish(const char *routine, const struct skerry_group *group,
                                                                const struct skerry_collective_call *call);

// True if `shared`, a record or a slot that its owner possibly changes at this time, has the group of the record
// `of_group`. The caller finds out if it has changed.
#define SKERRY_CHECK_SAME_GROUP(shared, of_group)                                                                      \
    (__atomic_load_n(&(shared)->start, __ATOMIC_ACQUIRE) == (of_group)->start &&                                       \
     __atomic_load_n(&(shared)->stride, __ATOMIC_ACQUIRE) == (of_group)->stride &&                                     \
     __atomic_load_n(&(shared)->size, __ATOMIC_ACQUIRE) == (of_group)->size &&                                         \
     __atomic_load_n(&(shared)->number, __ATOMIC_ACQUIRE) == (of_group)->number)

// Returns the number of records of a board that have been in use.
SKERRY_PRIVATE int skerry_check_records_of(const struct skerry_check_board *board);

// Returns the index of the first record of near PE `pe` that announces a collective of the same group as `of_group`,
// and copies this record to *found. If `of_group` is NULL, any group counts. Returns -1 if there is no such record.
SKERRY_PRIVATE int skerry_check_find(int pe, const struct skerry_check_record *of_group,
                                     struct skerry_check_record *found);

// Returns true if a record announces a collective of the same group as `of_group` and, if `state` is ARRIVED, is not
// COMPLETE.
SKERRY_PRIVATE bool skerry_check_announces(const struct skerry_check_record *record,
                                           const struct skerry_check_record *of_group, enum skerry_check_state state);

// Sets *used to `count` if it is smaller. Called by several processes at the same time.
SKERRY_PRIVATE void skerry_check_note_use(uint64_t *used, uint64_t count);

// Returns true if threads of this PE can be in several collectives at the same time.
SKERRY_PRIVATE bool skerry_check_threads_may_run_at_once(void);

// Returns the PE of a member of a record's group.
static inline int skerry_check_member(const struct skerry_check_record *record, int rank) {
    return record->start + rank * record->stride;
}

// Copies a record of this PE, except for its state: other threads of this PE compare-and-swap the states of all records.
static inline void skerry_check_copy(struct skerry_check_record *to, const struct skerry_check_record *mine) {
    const size_t skipped = offsetof(struct skerry_check_record, start);
    to->state = SKERRY_CHECK_FREE;
    __builtin_memcpy((char *)to + skipped, (const char *)mine + skipped, sizeof *to - skipped);
}

// -- Waiting (check_await.c) -------------------------------------------------------------------------------------------

// Waits until all members of the group have published a record for the group of `mine`. Then copies the record of
// member 0 to *first, whose field `all_source_bytes` is then known.
SKERRY_PRIVATE void skerry_check_await_all(struct skerry_check_record *mine, const struct skerry_group *group,
                                           struct skerry_check_record *first);

// -- Circles (check_circle.c) ------------------------------------------------------------------------------------------

// Names the group of three values: number of members, first PE, stride.
#define SKERRY_CHECK_GROUP_TEXT "among # PEs from PE # in steps of #"

// Times at which a wait searches for a circle.
struct skerry_check_searches {
    int steps; // waiting steps since the last search
    uint64_t next,
        delay; // in ticks: time of the next search that asks other nodes, and its distance from the one before
};

// Called at each step of a wait for the group of `mine`, with a struct whose fields are 0 at the first step. Sometimes
// searches for a circle: PEs that wait for each other. If this PE is in a circle, reports the deadlock and ends the job.
SKERRY_PRIVATE void skerry_check_search_sometimes(struct skerry_check_searches *searches,
                                                  const struct skerry_check_record *mine);

// -- Comparing (check_compare.c) ---------------------------------------------------------------------------------------

// Ends the job if the call of `mine` is not that of `theirs`, the record of PE `pe`.
SKERRY_PRIVATE void skerry_check_compare(const struct skerry_check_record *mine,
                                         const struct skerry_check_record *theirs, int pe);

// -- Other nodes (check_far.c) -----------------------------------------------------------------------------------------

// Used by member 0. Waits until all other nodes of the group have arrived. Adds the bytes of their members' sources to
// *source_bytes.
SKERRY_PRIVATE void skerry_check_await_nodes(struct skerry_check_record *mine, const struct skerry_group *group,
                                             uint64_t *source_bytes);
// Used by member 0, after it has set its own record to COMPLETE. Sends the record to the leaders of the other nodes.
SKERRY_PRIVATE void skerry_check_release_nodes(const struct skerry_check_record *mine,
                                               const struct skerry_group *group);
// Used by the leader of another node than that of member 0, when all members of its node have arrived. Tells member 0,
// and waits for its record. `source_bytes` is the number of bytes of the sources of the node's members.
SKERRY_PRIVATE void skerry_check_await_first(struct skerry_check_record *mine, uint64_t source_bytes);
// Returns true if far PE `pe` has published a record of the group of `of_group` (NULL: of any group), and copies it.
SKERRY_PRIVATE bool skerry_check_ask_for_record(int pe, const struct skerry_check_record *of_group,
                                                struct skerry_check_record *found);

#endif
