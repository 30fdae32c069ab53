// SPDX-License-Identifier: BSD-3-Clause
// Defines the public reduction routines, one for each operation and type. They call skerry_reduce.
#include "collective.h"
#include "combine.h"

static int team_reduce(const char *routine, shmem_team_t team, void *dest, const void *source, size_t count,
                       size_t size, skerry_combine combine) {
    struct skerry_group *group = skerry_group_of(routine, team);
    SKERRY_WHEN_CHECKING(skerry_check_collective(
        routine, group, &(struct skerry_collective_call){dest, count, source, count, size, {count}}))
    skerry_reduce(group, dest, source, count, size, combine);
    return 0;
}

static void set_reduce(const char *routine, struct skerry_group *group, void *dest, const void *source, int count,
                       size_t size, skerry_combine combine) {
    if (count < 0) skerry_fail_values(routine, "nreduce # is negative", (long[]){count}, 1);
    size_t elements = (size_t)(unsigned)count;
    SKERRY_WHEN_CHECKING(skerry_check_collective(
        routine, group, &(struct skerry_collective_call){dest, elements, source, elements, size, {elements}}))
    skerry_reduce(group, dest, source, elements, size, combine);
}

#define SKERRY_LIST_ONE(NAME, TYPE, OPERATION)                                                                         \
    SKERRY_COMBINE(NAME, TYPE, OPERATION)                                                                              \
    SKERRY_DEFINE(int, shmem_##NAME##_##OPERATION##_reduce,                                                            \
                  (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nreduce)) {                              \
        return team_reduce(__func__ + 1, team, dest, source, nreduce, sizeof(TYPE), combine_##NAME##_##OPERATION);     \
    }
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, and)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, or)                                                                                    \
    SKERRY_LIST_ONE(NAME, TYPE, xor)
SKERRY_REDUCE_BITWISE_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, max)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, min)
SKERRY_REDUCE_ORDER_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, sum)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, prod)
SKERRY_REDUCE_SUM_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#undef SKERRY_LIST_ONE

// Defines the deprecated reductions on active sets. They do not use the work array pWrk: members read each other's
// sources, or store into each other's work areas (write/work.h).
#define SKERRY_LIST_ONE(NAME, TYPE, OPERATION)                                                                         \
    SKERRY_DEFINE(void, shmem_##NAME##_##OPERATION##_to_all,                                                           \
                  (TYPE * dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, int PE_size,          \
                   TYPE *pWrk, long *pSync)) {                                                                         \
        struct skerry_group set;                                                                                       \
        struct skerry_group *group = skerry_active_set(__func__ + 1, &set, PE_start, logPE_stride, PE_size, pSync);    \
        SKERRY_WHEN_CHECKING(skerry_check_reduce_array(__func__ + 1, pWrk, nreduce, sizeof(TYPE)))                     \
        (void)pWrk;                                                                                                    \
        set_reduce(__func__ + 1, group, dest, source, nreduce, sizeof(TYPE), combine_##NAME##_##OPERATION);            \
    }
// Bitwise operators on signed types exist only in the deprecated reductions.
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_COMBINE(NAME, TYPE, and)                                                                                    \
    SKERRY_COMBINE(NAME, TYPE, or)                                                                                     \
    SKERRY_COMBINE(NAME, TYPE, xor)                                                                                    \
    SKERRY_LIST_ONE(NAME, TYPE, and)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, or)                                                                                    \
    SKERRY_LIST_ONE(NAME, TYPE, xor)
SKERRY_OLD_INTEGER_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, max)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, min)
SKERRY_OLD_INTEGER_TYPES(SKERRY_LIST)
SKERRY_OLD_REAL_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME, TYPE, sum)                                                                                   \
    SKERRY_LIST_ONE(NAME, TYPE, prod)
SKERRY_OLD_INTEGER_TYPES(SKERRY_LIST)
SKERRY_OLD_REAL_TYPES(SKERRY_LIST)
SKERRY_COMPLEX_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
#undef SKERRY_LIST_ONE
