// SPDX-License-Identifier: BSD-3-Clause
// Implements the all-to-all exchange. Every member stores each of its blocks directly at the block's final place. Each
// member begins with the member of the next rank, so that no two members begin with the same target. A barrier ends the
// exchange. In small groups, blocks of at most SKERRY_CELL_BYTES bytes are exchanged as messages with a sequence
// number, without a barrier (../primitive/exchange.h).
#include "../primitive/exchange.h"
#include "collective.h"

#define EXCHANGE_MEMBERS 8

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
    if (group->area && bytes <= SKERRY_CELL_BYTES && !skerry_is_oversubscribed() && group->size <= EXCHANGE_MEMBERS) {
        exchange_blocks(group, dest, source, bytes);
        return;
    }
    const uint64_t members = (unsigned)group->size, all = 2 * members * members * bytes;
    char *mine = (char *)dest + (size_t)(unsigned)group->rank * bytes;
    for (int i = 1; i <= group->size; i++) {
        int to = skerry_wrapped(group->rank + i, group->size);
        skerry_copy_one_of_many(skerry_global(mine, skerry_member(group, to)),
                                (const char *)source + (size_t)(unsigned)to * bytes, bytes, all);
    }
    skerry_barrier(group);
}

void skerry_alltoalls(struct skerry_group *group, void *dest, const void *source, ptrdiff_t dest_stride,
                      ptrdiff_t source_stride, size_t size, size_t count) {
    if (SKERRY_CHANNELS) {
        skerry_alltoalls_writing(group, dest, source, dest_stride, source_stride, size, count);
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

static int team_alltoall(const char *routine, shmem_team_t team, void *dest, const void *source, size_t count,
                         size_t size) {
    struct skerry_group *group = skerry_group_of(routine, team);
    SKERRY_WHEN_CHECKING(size_t all = skerry_check_product(count, (size_t)(unsigned)group->size);
                         skerry_check_collective(
                             routine, group, &(struct skerry_collective_call){dest, all, source, all, size, {count}}))
    skerry_alltoall(group, dest, source, count * size);
    return 0;
}

static int team_alltoalls(const char *routine, shmem_team_t team, void *dest, const void *source, ptrdiff_t dst,
                          ptrdiff_t sst, size_t count, size_t size) {
    struct skerry_group *group = skerry_group_of(routine, team);
    SKERRY_WHEN_CHECKING(
        size_t all = skerry_check_product(count, (size_t)(unsigned)group->size);
        skerry_check_collective(routine, group,
                                &(struct skerry_collective_call){dest,
                                                                 skerry_check_extent(dst, 1, all),
                                                                 source,
                                                                 skerry_check_extent(sst, 1, all),
                                                                 size,
                                                                 {count, (uint64_t)dst, (uint64_t)sst}}))
    skerry_alltoalls(group, dest, source, dst, sst, size, count);
    return 0;
}

#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_DEFINE(int, shmem_##NAME##_alltoall, (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems)) { \
        return team_alltoall(__func__ + 1, team, dest, source, nelems, sizeof(TYPE));                                  \
    }                                                                                                                  \
    SKERRY_DEFINE(int, shmem_##NAME##_alltoalls,                                                                       \
                  (shmem_team_t team, TYPE * dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)) { \
        return team_alltoalls(__func__ + 1, team, dest, source, dst, sst, nelems, sizeof(TYPE));                       \
    }
SKERRY_RMA_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
SKERRY_DEFINE(int, shmem_alltoallmem, (shmem_team_t team, void *dest, const void *source, size_t nelems)) {
    return team_alltoall(__func__ + 1, team, dest, source, nelems, 1);
}
SKERRY_DEFINE(int, shmem_alltoallsmem,
              (shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)) {
    return team_alltoalls(__func__ + 1, team, dest, source, dst, sst, nelems, 1);
}

#define SKERRY_LIST(BITS, BYTES)                                                                                       \
    SKERRY_DEFINE(                                                                                                     \
        void, shmem_alltoall##BITS,                                                                                    \
        (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync)) {   \
        struct skerry_group set;                                                                                       \
        struct skerry_group *group = skerry_active_set(__func__ + 1, &set, PE_start, logPE_stride, PE_size, pSync);    \
        SKERRY_WHEN_CHECKING(                                                                                          \
            size_t all = skerry_check_product(nelems, (size_t)(unsigned)PE_size); skerry_check_collective(             \
                __func__ + 1, group, &(struct skerry_collective_call){dest, all, source, all, BYTES, {nelems}}))       \
        skerry_alltoall(group, dest, source, nelems *BYTES);                                                           \
    }                                                                                                                  \
    SKERRY_DEFINE(void, shmem_alltoalls##BITS,                                                                         \
                  (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start,          \
                   int logPE_stride, int PE_size, long *pSync)) {                                                      \
        struct skerry_group set;                                                                                       \
        struct skerry_group *group = skerry_active_set(__func__ + 1, &set, PE_start, logPE_stride, PE_size, pSync);    \
        SKERRY_WHEN_CHECKING(                                                                                          \
            size_t all = skerry_check_product(nelems, (size_t)(unsigned)PE_size);                                      \
            skerry_check_collective(__func__ + 1, group,                                                               \
                                    &(struct skerry_collective_call){dest,                                             \
                                                                     skerry_check_extent(dst, 1, all),                 \
                                                                     source,                                           \
                                                                     skerry_check_extent(sst, 1, all),                 \
                                                                     BYTES,                                            \
                                                                     {nelems, (uint64_t)dst, (uint64_t)sst}}))         \
        skerry_alltoalls(group, dest, source, dst, sst, BYTES, nelems);                                                \
    }
SKERRY_OLD_SIZES(SKERRY_LIST)
#undef SKERRY_LIST
