// SPDX-License-Identifier: BSD-3-Clause
// Implements prefix sums over the members of a group. The elements are cut into slices, one for each member, as in a
// large reduction (reduce.c). For its slice each member computes the results of all ranks, one rank after the other. So
// each element of every source is added only once, and the destination can be the source.
#include "collective.h"
#include "combine.h"

#define CHUNK_BYTES SKERRY_CHUNK_BYTES

static void scan_chunk(const struct skerry_group *group, char *dest, const char *source, size_t count, size_t size,
                       skerry_combine combine, bool exclusive) {
    _Alignas(SKERRY_LINE) char sum[CHUNK_BYTES];
    _Alignas(SKERRY_LINE) char operand[CHUNK_BYTES]; // a copy, because `dest` can be `source` and is written first
    size_t bytes = count * size;
    __builtin_memset(sum, 0, bytes);
    for (int i = 0; i < group->size; i++) {
        int pe = skerry_member(group, i);
        skerry_copy(operand, skerry_global(source, pe), bytes);
        if (exclusive) skerry_copy(skerry_global(dest, pe), sum, bytes);
        combine(sum, operand, count);
        if (!exclusive) skerry_copy(skerry_global(dest, pe), sum, bytes);
    }
}

void skerry_scan(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                 skerry_combine combine, bool exclusive) {
    if (SKERRY_CHANNELS) {
        skerry_scan_writing(group, dest, source, count, size, combine, exclusive);
        return;
    }
    if (SKERRY_LEVELS(group)) {
        skerry_scan_levels(group, dest, source, count, size, combine, exclusive);
        return;
    }
    skerry_barrier(group); // after the barrier every member's source is ready
    size_t line = size >= SKERRY_LINE ? 1 : SKERRY_LINE / size;
    size_t slice = ((count + (unsigned)group->size - 1) / (unsigned)group->size + line - 1) / line * line;
    size_t begin = slice * (unsigned)group->rank;
    size_t end = begin + slice < count ? begin + slice : count;
    for (size_t at = begin; at < end; at += CHUNK_BYTES / size) {
        size_t left = end - at < CHUNK_BYTES / size ? end - at : CHUNK_BYTES / size;
        scan_chunk(group, (char *)dest + at * size, (const char *)source + at * size, left, size, combine, exclusive);
    }
    skerry_barrier(group);
}

static int team_scan(const char *routine, shmem_team_t team, void *dest, const void *source, size_t count, size_t size,
                     skerry_combine combine, bool exclusive) {
    struct skerry_group *group = skerry_group_of(routine, team);
    SKERRY_WHEN_CHECKING(skerry_check_collective(
        routine, group, &(struct skerry_collective_call){dest, count, source, count, size, {count}}))
    skerry_scan(group, dest, source, count, size, combine, exclusive);
    return 0;
}

#define SCAN(NAME, TYPE)                                                                                               \
    SKERRY_COMBINE(scan_##NAME, TYPE, sum)                                                                             \
    SKERRY_DEFINE(int, shmem_##NAME##_sum_inscan,                                                                      \
                  (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems)) {                               \
        return team_scan(__func__ + 1, team, dest, source, nelems, sizeof(TYPE), combine_scan_##NAME##_sum, false);    \
    }                                                                                                                  \
    SKERRY_DEFINE(int, shmem_##NAME##_sum_exscan,                                                                      \
                  (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems)) {                               \
        return team_scan(__func__ + 1, team, dest, source, nelems, sizeof(TYPE), combine_scan_##NAME##_sum, true);     \
    }
SKERRY_FAMILY(REDUCE_SUM, SCAN)
