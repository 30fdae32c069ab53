// SPDX-License-Identifier: BSD-3-Clause
// Checks that all members of a group call the same collective with the same arguments, before the collective begins.
// Each member publishes a record of its call in its own memory (struct board):
// 1. Member 0 waits until every member has published a record for the same group. The records can name different
//    routines.
// 2. Member 0 sets its own record to COMPLETE.
// 3. The other members wait for COMPLETE and compare their record with the record of member 0.
// 4. The collective begins after all comparisons.
// To read the records of a PE of another node, a PE gets that PE's whole board (snapshot_of). If PEs wait for each
// other in a circle, none of them can go on. A PE that finds itself in such a circle reports the deadlock.
#include "check_internal.h"

#include "../primitive/barrier.h"

#define ROUTINE_BYTES 56
#define AGREED 3
#define RECORDS 16 // number of threads of a PE that can be in collectives at the same time; further threads wait

enum state { FREE, CLAIMED, ARRIVED, COMPLETE, COMPARED };

// Only the PE that owns a record writes it. The state ARRIVED, or COMPLETE on member 0, publishes the record: the owner
// stores the state with release, and readers load it with acquire.
struct record {
    uint32_t state;
    int32_t start, stride, size;
    uint64_t serial; // number of uses of this record; with 32 bits it could wrap round while another PE reads
    uint64_t number; // distinguishes groups that have the same members (number_of)
    uint64_t dest, source, work_array; // as addresses in PE 0's memory, so that PEs can compare them
    uint64_t source_bytes;
    uint64_t agreed[AGREED];
    char routine[ROUTINE_BYTES];
};

struct board {
    struct skerry_check_job job; // words for the whole job, used only in PE 0's board (check_report.c)
    uint64_t used;               // records[0] to records[used - 1] have been in use; the others never
    struct record records[RECORDS];
};
_Static_assert(sizeof(struct board) <= SKERRY_CHECK_BYTES, "a board fits the memory that is reserved for it");

static struct board *board_of(int pe) {
    return skerry_global(skerry_check_memory(), pe);
}

static uint32_t state_of(const struct record *record) {
    return __atomic_load_n(&record->state, __ATOMIC_ACQUIRE);
}

static bool is_published(const struct record *record) {
    uint32_t state = state_of(record);
    return state == ARRIVED || state == COMPLETE;
}

static int records_of(const struct board *board) {
    return (int)__atomic_load_n(&board->used, __ATOMIC_ACQUIRE);
}

static bool same_records(const struct board *first, const struct board *second) {
    const char *left = (const char *)first->records, *right = (const char *)second->records;
    size_t i = 0;
    while (i < sizeof first->records && left[i] == right[i]) i++;
    return i == sizeof first->records;
}

// Copies the board (all records) of a PE of another node. The owner can write to its board during the copy. So this
// function copies the board until two successive copies are equal. Why equal copies are consistent:
// - An inconsistent copy has an old state of a record together with fields of the record's next use.
// - The owner sets the next state before it writes these fields (claim_record). So the second copy has this next state,
//   or all fields of the next use. In both cases it differs from the first copy.
static void snapshot_of(int pe, struct board *copy) {
    struct board again;
    do {
        skerry_get(copy, board_of(pe), sizeof *copy, pe);
        skerry_get(&again, board_of(pe), sizeof again, pe);
    } while (!same_records(copy, &again));
}

static void set_state(struct record *record, enum state state) {
    __atomic_store_n(&record->state, (uint32_t)state, __ATOMIC_RELEASE);
}

// -- Announcing --------------------------------------------------------------------------------------------------------

static uint64_t in_pe_0(const void *address) {
    return address ? (uint64_t)(uintptr_t)skerry_global(address, 0) : 0;
}

static bool threads_may_run_at_once(void) {
    return skerry_library.thread_level == SHMEM_THREAD_MULTIPLE;
}

// Returns a number that distinguishes a group from other groups with the same members:
// - For a group with an area (a team), the address of the area.
// - For a group without an area (an active set), 0. Active sets with the same members count as one group.
// - For an active set with SHMEM_THREAD_MULTIPLE, the address of its work array. Several threads can then be in
//   collectives on the same members at the same time.
static uint64_t number_of(const struct skerry_group *group) {
    if (group->area) return in_pe_0(group->area);
    return threads_may_run_at_once() ? in_pe_0(group->work_array) : 0;
}

// Returns true if two records are for the same group. The PE that owns a record can write to it during this call. The
// caller, announces(), detects such a write and then ignores the result.
__attribute__((no_sanitize("thread"))) static bool same_group(const struct record *first, const struct record *second) {
    return first->start == second->start && first->stride == second->stride && first->size == second->size &&
           first->number == second->number;
}

// Returns true if a record announces a collective of the same group as the record `of_group`. The PE that owns the
// record can reuse the record for another collective during this call. The owner then changes the serial number before
// any other field. So if the serial number is unchanged after the comparison, the compared fields belong to one use of
// the record.
static bool announces(const struct record *record, const struct record *of_group) {
    if (!is_published(record)) return false;
    uint64_t serial = __atomic_load_n(&record->serial, __ATOMIC_ACQUIRE);
    bool same = same_group(record, of_group);
    skerry_fence();
    return same && is_published(record) && __atomic_load_n(&record->serial, __ATOMIC_RELAXED) == serial;
}

static void note_use(struct board *board, uint64_t records) {
    uint64_t used = __atomic_load_n(&board->used, __ATOMIC_ACQUIRE);
    while (used < records &&
           !__atomic_compare_exchange_n(&board->used, &used, records, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        continue;
}

static struct record *claim_record(void) {
    struct board *board = board_of(skerry_my_pe());
    for (int i = 0;; i = (i + 1) % RECORDS) {
        uint32_t expected = FREE;
        if (__atomic_compare_exchange_n(&board->records[i].state, &expected, CLAIMED, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED)) {
            note_use(board, (uint64_t)(unsigned)i + 1);
            return &board->records[i];
        }
        if (i == RECORDS - 1) skerry_poll_again();
    }
}

static void copy_name(char *to, const char *name) {
    size_t i = 0;
    for (; name[i] && i < ROUTINE_BYTES - 1; i++) to[i] = name[i];
    to[i] = 0;
}

static struct record *announce(const char *routine, const struct skerry_group *group,
                               const struct skerry_collective_call *call) {
    struct record *record = claim_record();
    __atomic_store_n(&record->serial, record->serial + 1, __ATOMIC_RELAXED);
    skerry_fence();
    record->start = group->start;
    record->stride = group->stride;
    record->size = group->size;
    record->number = number_of(group);
    record->dest = in_pe_0(call->dest);
    record->source = in_pe_0(call->source);
    record->work_array = in_pe_0(group->work_array);
    record->source_bytes = call->source_count * call->size;
    for (int i = 0; i < AGREED; i++) record->agreed[i] = call->agreed[i];
    copy_name(record->routine, routine);
    const struct board *board = board_of(skerry_my_pe());
    for (int i = 0; i < records_of(board); i++) {
        const struct record *other = &board->records[i];
        if (other != record && announces(other, record))
            skerry_check_fail(routine, "team: another thread of this PE is in a collective on the same team", 0, 0);
    }
    set_state(record, ARRIVED);
    skerry_wake(skerry_my_pe());
    return record;
}

// Copies the first record of a board (a PE's records) that announces a collective of the same group as `of_group`. If
// `of_group` is NULL, any group counts. Returns false if there is no such record. The thread sanitizer does not check
// this function: the owner is allowed to change records of other groups during this call.
__attribute__((no_sanitize("thread"))) static bool find(const struct board *board, const struct record *of_group,
                                                        struct record *found) {
    for (int i = 0; i < records_of(board); i++) {
        const struct record *record = &board->records[i];
        if (of_group ? !announces(record, of_group) : !is_published(record)) continue;
        *found = *record;
        return true;
    }
    return false;
}

// Copies the record in which PE `pe` announces a collective of the same group as `of_group`. If `of_group` is NULL, any
// group counts. Returns false if that PE has announced no such collective.
static bool arrival_of(int pe, const struct record *of_group, struct record *found) {
    if (skerry_is_near(pe)) return find(board_of(pe), of_group, found);
    struct board board;
    snapshot_of(pe, &board);
    return find(&board, of_group, found);
}

static int member(const struct record *record, int rank) {
    return record->start + rank * record->stride;
}

// -- Waiting for one another -------------------------------------------------------------------------------------------

// Returns the PE that `pe` waits for in a collective, or -1 if `pe` waits for no PE. If `pe` waits for several PEs,
// this is the PE of the lowest rank in the group. Adds the serial number of the record of `pe` to *serials, and copies
// the record to *record.
static int awaited_by(int pe, uint64_t *serials, struct record *record) {
    struct record arrived;
    if (!arrival_of(pe, 0, record)) return -1;
    *serials += record->serial;
    for (int rank = 0; rank < record->size; rank++)
        if (!arrival_of(member(record, rank), record, &arrived)) return member(record, rank);
    return -1;
}

// Follows the chain of waiting PEs from this PE: to the PE that it waits for, and from each PE to the PE that this PE
// waits for. If the chain leads back to this PE, returns the number of PEs in the circle, else 0. Stores the sum of the
// serial numbers on the chain in *serials.
static int circle(uint64_t *serials) {
    *serials = 0;
    struct record record;
    int pe = skerry_my_pe();
    for (int length = 1; length <= skerry_pe_count(); length++) {
        pe = awaited_by(pe, serials, &record);
        if (pe < 0) return 0;
        if (pe == skerry_my_pe()) return length;
    }
    return 0;
}

static const char group_text[] = "among # PEs from PE # in steps of #";

static SKERRY_NORETURN void fail_circle(const struct record *mine) {
    uint64_t unused = 0;
    struct record theirs;
    int awaited = awaited_by(skerry_my_pe(), &unused, &theirs);
    int next = awaited_by(awaited, &unused, &theirs);
    struct skerry_check_text text = {.length = 0};
    skerry_check_append(&text, group_text);
    skerry_check_append(&text, ": PE # never arrives, because it waits for PE # in ");
    skerry_check_append(&text, theirs.routine);
    skerry_check_append(&text, " ");
    skerry_check_append(&text, group_text);
    skerry_check_fail(
        mine->routine, text.at,
        (long[]){mine->size, mine->start, mine->stride, awaited, next, theirs.size, theirs.start, theirs.stride}, 8);
}

// Reports a deadlock if this PE is in a circle of PEs that wait for each other. Each PE of a circle stays in its
// collective until the next PE of the circle arrives. If all PEs of a circle wait at the same moment, they wait for
// ever. One search cannot find such a moment, because a search visits the PEs one after the other. Two searches can:
// - Both searches must find a circle of the same length with the same sum of serial numbers.
// - Then no PE of the circle began another collective between the searches.
// - So all PEs of the circle waited when the first search ended.
static void search_for_circle(const struct record *mine) {
    uint64_t first, second;
    // With SHMEM_THREAD_MULTIPLE another thread of an awaited PE can still arrive, so a circle is no deadlock.
    if (threads_may_run_at_once()) return;
    int length = circle(&first);
    if (length && circle(&second) == length && first == second) fail_circle(mine);
}

// Number of waiting steps (calls of skerry_pause) between two searches for a circle. The steps become longer in a long
// wait. So the searches become rarer, although the wait reads no clock.
#define STEPS_PER_SEARCH 16
#define MEMBERS_PER_STEP 8 // one step more for each 8 members: a search of a larger group takes longer, so it is rarer

// Waits until `pe` has published a record for the group of `mine`. If `state` is COMPLETE, the record must also be
// COMPLETE.
static void await(int pe, enum state state, const struct record *mine) {
    SKERRY_PAUSE(pause);
    int steps_per_search = STEPS_PER_SEARCH + mine->size / MEMBERS_PER_STEP;
    for (int steps = 1;; steps = steps % steps_per_search + 1) {
        struct record theirs;
        if (arrival_of(pe, mine, &theirs) && (state == ARRIVED || theirs.state == COMPLETE)) return;
        if (skerry_is_near(pe)) skerry_pause(&pause, pe);
        else skerry_poll_again(); // nobody wakes a PE that waits for a word of another node
        if (steps == steps_per_search) search_for_circle(mine);
    }
}

static void await_all(struct record *mine, const struct skerry_group *group) {
    if (group->rank > 0) {
        await(member(mine, 0), COMPLETE, mine);
        return;
    }
    for (int rank = 1; rank < group->size; rank++) await(member(mine, rank), ARRIVED, mine);
    set_state(mine, COMPLETE);
    skerry_wake(skerry_my_pe());
}

// -- Comparing ---------------------------------------------------------------------------------------------------------

// Names of the arguments that must be equal in all members, for the error messages. The entry for a routine is the
// first entry whose `part` occurs in the routine's name.
static const struct {
    const char *part;
    const char *names[AGREED];
} arguments[] = {
    {"split_strided", {"start", "stride", "size"}},
    {"split_2d", {"xrange"}},
    {"alltoalls", {"nelems", "dst", "sst"}},
    {"broadcast", {"nelems", "PE_root"}},
    {"_reduce", {"nreduce"}},
    {"_to_all", {"nreduce"}},
    {"with_hints", {"size", "hints"}},
    {"calloc", {"count", "size"}},
    {"realloc", {"ptr (as an offset in the heap)", "size"}},
    {"malloc", {"size"}},
    {"align", {"alignment", "size"}},
    {"free", {"ptr (as an offset in the heap)"}},
    {"", {"nelems"}},
};

static const char *name_of_argument(const char *routine, int which) {
    int i = 0;
    while (!skerry_check_contains(routine, arguments[i].part) && arguments[i].part[0]) i++;
    return arguments[i].names[which] ? arguments[i].names[which] : "an argument";
}

static bool same_text(const char *first, const char *second) {
    while (*first && *first == *second) first++, second++;
    return *first == *second;
}

static void compare_object(const struct record *mine, const char *name, uint64_t here, uint64_t there, int pe) {
    if (here == there || !here || !there) return;
    struct skerry_check_text text = {.length = 0};
    skerry_check_append(&text, name);
    skerry_check_append(
        &text, " @: must be the same symmetric object on all members; PE # passes the object that is at @ in this PE");
    skerry_check_fail(mine->routine, text.at,
                      (long[]){(long)(uintptr_t)skerry_localize((void *)(uintptr_t)here), pe,
                               (long)(uintptr_t)skerry_localize((void *)(uintptr_t)there)},
                      3);
}

static void compare(const struct record *mine, const struct record *theirs, int pe) {
    struct skerry_check_text text = {.length = 0};
    if (!same_text(mine->routine, theirs->routine)) {
        skerry_check_append(&text, group_text);
        skerry_check_append(&text, ": all must call the same routine; PE # calls ");
        skerry_check_append(&text, theirs->routine);
        skerry_check_fail(mine->routine, text.at, (long[]){mine->size, mine->start, mine->stride, pe}, 4);
    }
    for (int i = 0; i < AGREED; i++) {
        if (mine->agreed[i] == theirs->agreed[i]) continue;
        skerry_check_append(&text, name_of_argument(mine->routine, i));
        skerry_check_append(&text, " #: must be the same on all members; PE # has #");
        skerry_check_fail(mine->routine, text.at, (long[]){(long)mine->agreed[i], pe, (long)theirs->agreed[i]}, 3);
    }
    compare_object(mine, "dest", mine->dest, theirs->dest, pe);
    compare_object(mine, "source", mine->source, theirs->source, pe);
    compare_object(mine, "pSync", mine->work_array, theirs->work_array, pe);
}

// -- The check ---------------------------------------------------------------------------------------------------------

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
        for (int i = 1; i < AGREED; i++)
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

// Checks the destination of a collect, which receives the blocks of all members.
static void check_collected(const char *routine, const struct record *mine, const struct skerry_collective_call *call) {
    if (!call->dest || call->dest_count) return;
    size_t bytes = 0;
    for (int rank = 0; rank < mine->size; rank++) {
        struct record theirs;
        if (arrival_of(member(mine, rank), mine, &theirs)) bytes += theirs.source_bytes;
    }
    check_side(routine, "dest", call->dest, bytes / call->size, call->size, true);
    check_apart(routine, call->dest, bytes, call->source, mine->source_bytes);
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
    // next collective, after all members have set COMPARED.
    struct record *mine = announce(routine, group, call);
    await_all(mine, group);
    skerry_check_heap(routine); // after the wait, so that it also checks what other members put before they arrived
    struct record first;
    if (group->rank > 0 && arrival_of(member(mine, 0), mine, &first)) compare(mine, &first, member(mine, 0));
    check_collected(routine, mine, call);
    skerry_barrier(group);
    set_state(mine, COMPARED);
    skerry_barrier(group);
    set_state(mine, FREE);
}
