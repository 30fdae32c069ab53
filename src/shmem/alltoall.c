// SPDX-License-Identifier: BSD-3-Clause
// Implements the all-to-all exchange. Two algorithms:
// - Every member stores each of its blocks directly at the block's final place. Each member begins with the member of
//   the next rank, so that no two members begin with the same target. A barrier ends the exchange.
// - Small blocks (at most SKERRY_CELL_BYTES) in small groups are messages with a sequence number
//   (../primitive/exchange.h). This needs no barrier.
#include "../primitive/exchange.h"
#include "collective.h"

#define EXCHANGE_MEMBERS 8 // largest group in which a message to each member costs less than a barrier

static void exchange_blocks(struct skerry_group *group, char *dest, const char *source, size_t bytes) {
    skerry_word sequence = ++group->exchanges;
    for (int i = 1; i < group->size; i++) {
        int to = skerry_wrapped(group->rank + i, group->size);
        skerry_cell_send(group, to, sequence, source + (size_t)(unsigned)to * bytes, bytes);
    }
    for (int i = 0; i < group->size; i++) {
        size_t at = (size_t)(unsigned)i * bytes;
        skerry_copy(dest + at, i == group->rank ? source + at : skerry_cell_receive(group, i, sequence), bytes);
    }
}

void skerry_alltoall(struct skerry_group *group, void *dest, const void *source, size_t bytes) {
    if (SKERRY_CHANNELS) {
        skerry_alltoall_writing(group, dest, source, bytes);
        return;
    }
    if (SKERRY_LEVELS(group)) {
        skerry_alltoall_levels(group, dest, source, bytes);
        return;
    }
    if (group->area && bytes <= SKERRY_CELL_BYTES && !skerry_is_oversubscribed() && group->size <= EXCHANGE_MEMBERS) {
        exchange_blocks(group, dest, source, bytes);
        return;
    }
    const uint64_t members = (unsigned)group->size, all = 2 * members * members * bytes;
    char *mine = (char *)dest + (size_t)(unsigned)group->rank * bytes;
    for (int i = 1; i <= group->size; i++) {
        int to = skerry_wrapped(group->rank + i, group->size);
        const int pe = skerry_member(group, to);
        const char *block = (const char *)source + (size_t)(unsigned)to * bytes;
        skerry_copy_one_of_many(skerry_global(mine, pe), block, bytes, all);
    }
    skerry_barrier(group);
}

void skerry_alltoalls(struct skerry_group *group, void *dest, const void *source, ptrdiff_t dest_stride,
                      ptrdiff_t source_stride, size_t size, size_t count) {
    if (SKERRY_CHANNELS) {
        skerry_alltoalls_writing(group, dest, source, dest_stride, source_stride, size, count);
        return;
    }
    if (SKERRY_LEVELS(group)) {
        skerry_alltoalls_levels(group, dest, source, dest_stride, source_stride, size, count);
        return;
    }
    ptrdiff_t step = (ptrdiff_t)size;
    char *mine = (char *)dest + (ptrdiff_t)count * group->rank * dest_stride * step;
    for (int i = 1; i <= group->size; i++) {
        int to = skerry_wrapped(group->rank + i, group->size);
        const char *block = (const char *)source + (ptrdiff_t)count * to * source_stride * step;
        skerry_put_strided(mine, block, dest_stride * step, source_stride * step, size, count,
                           skerry_member(group, to));
    }
    skerry_barrier(group);
}

static void check_alltoall(const char *routine, struct skerry_group *group, void *dest, const void *source,
                           size_t count, size_t size) {
    size_t all = skerry_check_product(count, (size_t)(unsigned)group->size);
    skerry_check_collective(routine, group, &(struct skerry_collective_call){dest, all, source, all, size, {count}});
}

static void check_alltoalls(const char *routine, struct skerry_group *group, void *dest, const void *source,
                            ptrdiff_t dst, ptrdiff_t sst, size_t count, size_t size) {
    size_t all = skerry_check_product(count, (size_t)(unsigned)group->size);
    skerry_check_collective(routine, group,
                            &(struct skerry_collective_call){dest,
                                                             skerry_check_extent(dst, 1, all),
                                                             source,
                                                             skerry_check_extent(sst, 1, all),
                                                             size,
                                                             {count, (uint64_t)dst, (uint64_t)sst}});
}

// -- The bodies of the table -------------------------------------------------------------------------------------------

static int team_alltoall(const char *routine, shmem_team_t team, void *dest, const void *source, size_t count,
                         size_t size) {
    struct skerry_group *group = skerry_group_of(routine, team);
    SKERRY_WHEN_CHECKING(check_alltoall(routine, group, dest, source, count, size))
    skerry_alltoall(group, dest, source, count * size);
    return 0;
}

static int team_alltoalls(const char *routine, shmem_team_t team, void *dest, const void *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t count, size_t size) {
    struct skerry_group *group = skerry_group_of(routine, team);
    SKERRY_WHEN_CHECKING(check_alltoalls(routine, group, dest, source, dst, sst, count, size))
    skerry_alltoalls(group, dest, source, dst, sst, size, count);
    return 0;
}

// set_alltoall and set_alltoalls are the bodies of the routines for active sets. The compiler inlines each of them into
// two routines, one for each size of an element. A call with all these arguments would take 44 cycles on a core of an
// Epiphany chip. This was measured for the body in broadcast.c.
static inline __attribute__((always_inline)) void set_alltoall(const char *routine, void *dest, const void *source,
                                                               size_t count, size_t size, int start, int log_stride,
                                                               int pes, long *work_array) {
    struct skerry_group set;
    struct skerry_group *group = skerry_active_set(routine, &set, start, log_stride, pes, work_array);
    SKERRY_WHEN_CHECKING(check_alltoall(routine, group, dest, source, count, size))
    skerry_alltoall(group, dest, source, count * size);
}

static inline __attribute__((always_inline)) void set_alltoalls(const char *routine, void *dest, const void *source,
                                                                ptrdiff_t dst, ptrdiff_t sst, size_t count, size_t size,
                                                                int start, int log_stride, int pes, long *work_array) {
    struct skerry_group set;
    struct skerry_group *group = skerry_active_set(routine, &set, start, log_stride, pes, work_array);
    SKERRY_WHEN_CHECKING(check_alltoalls(routine, group, dest, source, dst, sst, count, size))
    skerry_alltoalls(group, dest, source, dst, sst, size, count);
}

#define SKERRY_READING_SYMBOLS
#include "api.h"
#include "alltoall.h"
