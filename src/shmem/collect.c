// SPDX-License-Identifier: BSD-3-Clause
// Implements collect and fcollect. Two algorithms:
// - Every member stores its block directly at its final place in each member's result. Each member begins with the
//   member of the next rank, so that no two members begin with the same target. A barrier ends the collect.
// - The blocks of an fcollect of small blocks (at most SKERRY_CELL_BYTES) in a small group are messages with a sequence
//   number (../primitive/exchange.h). This needs no barrier.
#include "../primitive/exchange.h"
#include "collective.h"

#define EXCHANGE_MEMBERS 8    // largest group in which a message to each member costs less than a barrier
#define WORK_ARRAY_SIZE_AT 12 // index in an active set's work array of the word with a block's size in bytes

// Copies this member's block into each member's result. If all blocks have this block's size, all members together read
// and write `all` bytes. If the caches cannot hold `all` bytes, skerry_copy_one_of_many bypasses the caches.
static void push_to_all(struct skerry_group *group, char *dest, const void *source, size_t bytes) {
    const uint64_t members = (unsigned)group->size, all = (members + 1) * members * bytes;
    for (int i = 1; i <= group->size; i++) {
        int to = skerry_wrapped(group->rank + i, group->size);
        const int pe = skerry_member(group, to);
        void *there = to == group->rank ? dest : skerry_global(dest, pe);
        if (there != source) skerry_copy_one_of_many(there, source, bytes, all);
    }
}

static void exchange_blocks(struct skerry_group *group, char *dest, const void *source, size_t bytes) {
    skerry_word sequence = ++group->exchanges;
    for (int i = 1; i < group->size; i++)
        skerry_cell_send(group, skerry_wrapped(group->rank + i, group->size), sequence, source, bytes);
    for (int i = 0; i < group->size; i++) {
        const void *block = i == group->rank ? source : skerry_cell_receive(group, i, sequence);
        if (block != dest + (size_t)(unsigned)i * bytes) skerry_copy(dest + (size_t)(unsigned)i * bytes, block, bytes);
    }
}

// Copies this member's block into its cell (memory for one message) in member 0's area, and executes a barrier. Returns
// the address of member 0's cells, which then hold the blocks of all members. A member waits only once, in the barrier.
static const struct skerry_cell *deposit_blocks(struct skerry_group *group, const void *source, size_t bytes) {
    skerry_word sequence = ++group->exchanges;
    int home = skerry_member(group, 0);
    skerry_copy(skerry_global(skerry_cell_of(group, group->rank, sequence)->payload, home), source, bytes);
    skerry_barrier(group);
    return skerry_global(skerry_cell_of(group, 0, sequence), home);
}

void skerry_fcollect(struct skerry_group *group, void *dest, const void *source, size_t bytes) {
    if (SKERRY_CHANNELS) {
        skerry_fcollect_writing(group, dest, source, bytes);
        return;
    }
    if (SKERRY_LEVELS(group)) {
        skerry_fcollect_levels(group, dest, source, bytes);
        return;
    }
    bool small = group->area && bytes <= SKERRY_CELL_BYTES;
    if (small && !skerry_is_oversubscribed() && group->size <= EXCHANGE_MEMBERS) {
        exchange_blocks(group, dest, source, bytes);
    } else if (small && skerry_is_oversubscribed()) {
        const struct skerry_cell *cells = deposit_blocks(group, source, bytes);
        for (int i = 0; i < group->size; i++)
            skerry_copy((char *)dest + (size_t)(unsigned)i * bytes, cells[i].payload, bytes);
    } else {
        push_to_all(group, (char *)dest + (size_t)(unsigned)group->rank * bytes, source, bytes);
        skerry_barrier(group);
    }
}

// Returns the offset of this member's block in the result, in bytes: the sum of the block sizes of the lower ranks.
static uint64_t offset_of_block(struct skerry_group *group, uint64_t bytes) {
    uint64_t offset = 0;
    if (group->area) {
        const struct skerry_cell *cells = deposit_blocks(group, &bytes, sizeof bytes);
        for (int i = 0; i < group->rank; i++) {
            uint64_t before;
            __builtin_memcpy(&before, cells[i].payload, sizeof before);
            offset += before;
        }
        return offset;
    }
    long *word = &group->work_array[WORK_ARRAY_SIZE_AT];
    *word = (long)bytes;
    skerry_barrier(group);
    for (int i = 0; i < group->rank; i++) offset += (uint64_t)skerry_get_value(long, word, skerry_member(group, i));
    return offset;
}

void skerry_collect(struct skerry_group *group, void *dest, const void *source, size_t bytes) {
    if (SKERRY_CHANNELS) {
        skerry_collect_writing(group, dest, source, bytes);
        return;
    }
    if (SKERRY_LEVELS(group)) {
        skerry_collect_levels(group, dest, source, bytes);
        return;
    }
    uint64_t offset = offset_of_block(group, bytes);
    push_to_all(group, (char *)dest + offset, source, bytes);
    skerry_barrier(group);
    if (!group->area) group->work_array[WORK_ARRAY_SIZE_AT] = 0; // after the barrier, every member has read the size
}

// Checks the arguments of an fcollect (`fixed` is true) or of a collect. Compares the count between the members only
// for an fcollect. In a collect the members can have different counts.
static void check_collect(const char *routine, struct skerry_group *group, void *dest, const void *source, size_t count,
                          size_t size, bool fixed) {
    size_t all = fixed ? skerry_check_product(count, (size_t)(unsigned)group->size) : 0;
    skerry_check_collective(routine, group,
                            &(struct skerry_collective_call){dest, all, source, count, size, {fixed ? count : 0}});
}

// -- The bodies of the table -------------------------------------------------------------------------------------------

static int team_collect(const char *routine, shmem_team_t team, void *dest, const void *source, size_t count,
                        size_t size) {
    struct skerry_group *group = skerry_group_of(routine, team);
    SKERRY_WHEN_CHECKING(check_collect(routine, group, dest, source, count, size, false))
    skerry_collect(group, dest, source, count * size);
    return 0;
}

static int team_fcollect(const char *routine, shmem_team_t team, void *dest, const void *source, size_t count,
                         size_t size) {
    struct skerry_group *group = skerry_group_of(routine, team);
    SKERRY_WHEN_CHECKING(check_collect(routine, group, dest, source, count, size, true))
    skerry_fcollect(group, dest, source, count * size);
    return 0;
}

// set_collect and set_fcollect are the bodies of the routines for active sets. The compiler inlines each of them into
// two routines, one for each size of an element. A call with all these arguments would take 44 cycles on a core of an
// Epiphany chip. This was measured for the body in broadcast.c.
static inline __attribute__((always_inline)) void set_collect(const char *routine, void *dest, const void *source,
                                                              size_t count, size_t size, int start, int log_stride,
                                                              int pes, long *work_array) {
    struct skerry_group set;
    struct skerry_group *group = skerry_active_set(routine, &set, start, log_stride, pes, work_array);
    SKERRY_WHEN_CHECKING(check_collect(routine, group, dest, source, count, size, false))
    skerry_collect(group, dest, source, count * size);
}

static inline __attribute__((always_inline)) void set_fcollect(const char *routine, void *dest, const void *source,
                                                               size_t count, size_t size, int start, int log_stride,
                                                               int pes, long *work_array) {
    struct skerry_group set;
    struct skerry_group *group = skerry_active_set(routine, &set, start, log_stride, pes, work_array);
    SKERRY_WHEN_CHECKING(check_collect(routine, group, dest, source, count, size, true))
    skerry_fcollect(group, dest, source, count * size);
}

#define SKERRY_READING_SYMBOLS
#include "api.h"
#include "collect.h"
