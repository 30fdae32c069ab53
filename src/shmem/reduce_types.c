// SPDX-License-Identifier: BSD-3-Clause
// Defines the public reduction routines, one for each operation and type. The routines call skerry_reduce.
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
    if (count < 0) skerry_fail_values(routine, "nreduce #: must not be negative", (long[]){count}, 1);
    size_t elements = (size_t)(unsigned)count;
    SKERRY_WHEN_CHECKING(skerry_check_collective(
        routine, group, &(struct skerry_collective_call){dest, elements, source, elements, size, {elements}}))
    skerry_reduce(group, dest, source, elements, size, combine);
}

// These macros define three functions for one type and one operation: the combining function, the team reduction, and
// the deprecated reduction on an active set. A reduction on an active set does not use the work array pWrk. Members
// read each other's sources, or store into each other's work areas (write/work.h).
#define COMBINE(NAME, TYPE, OPERATION, B, C, D) SKERRY_COMBINE(NAME, TYPE, OPERATION)
#define TEAM_REDUCE(NAME, TYPE, OPERATION, B, C, D)                                                                    \
    SKERRY_DEFINE(int, shmem_##NAME##_##OPERATION##_reduce, (SKERRY_TEAM_REDUCE_ARGUMENTS(TYPE))) {                    \
        return team_reduce(__func__ + 1, team, dest, source, nreduce, sizeof(TYPE), combine_##NAME##_##OPERATION);     \
    }
#define SET_REDUCE(NAME, TYPE, OPERATION, B, C, D)                                                                     \
    SKERRY_DEFINE(void, shmem_##NAME##_##OPERATION##_to_all, (SKERRY_SET_REDUCE_ARGUMENTS(TYPE))) {                    \
        struct skerry_group set;                                                                                       \
        struct skerry_group *group = skerry_active_set(__func__ + 1, &set, PE_start, logPE_stride, PE_size, pSync);    \
        SKERRY_WHEN_CHECKING(skerry_check_reduce_array(__func__ + 1, pWrk, nreduce, sizeof(TYPE)))                     \
        (void)pWrk;                                                                                                    \
        set_reduce(__func__ + 1, group, dest, source, nreduce, sizeof(TYPE), combine_##NAME##_##OPERATION);            \
    }

// Defines the reductions of all types for one bitwise operator. For the signed types (SKERRY_EACH_OLD_REDUCE_BITWISE)
// only the deprecated reductions exist.
#define BITWISE(OPERATION)                                                                                             \
    SKERRY_EACH_REDUCE_BITWISE(COMBINE, OPERATION, , , )                                                               \
    SKERRY_EACH_REDUCE_BITWISE(TEAM_REDUCE, OPERATION, , , )                                                           \
    SKERRY_EACH_OLD_REDUCE_BITWISE(COMBINE, OPERATION, , , )                                                           \
    SKERRY_EACH_OLD_REDUCE_BITWISE(SET_REDUCE, OPERATION, , , )
BITWISE(and)
BITWISE(or)
BITWISE(xor)

#define ORDER(OPERATION)                                                                                               \
    SKERRY_EACH_REDUCE_ORDER(COMBINE, OPERATION, , , )                                                                 \
    SKERRY_EACH_REDUCE_ORDER(TEAM_REDUCE, OPERATION, , , )                                                             \
    SKERRY_EACH_OLD_REDUCE_ORDER(SET_REDUCE, OPERATION, , , )
ORDER(max)
ORDER(min)

#define SUM(OPERATION)                                                                                                 \
    SKERRY_EACH_REDUCE_SUM(COMBINE, OPERATION, , , )                                                                   \
    SKERRY_EACH_REDUCE_SUM(TEAM_REDUCE, OPERATION, , , )                                                               \
    SKERRY_EACH_OLD_REDUCE_SUM(SET_REDUCE, OPERATION, , , )
SUM(sum)
SUM(prod)
