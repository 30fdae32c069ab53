// SPDX-License-Identifier: BSD-3-Clause
// Every reduction on active sets (_to_all) of every type, in place and not, against the serial result.
// ways: 2:2:tcp 6:2:all 8:2:tcp 3:3:tcp 9:3:tcp 12:3:all 4:4:tcp 12:4:all 16:4:tcp 5:3:tcp
#include "active_sets.h"
#include "operands.h"

#include <skerry/shmem/types.h>

#define COUNT_MAX 120
#define WORK (COUNT_MAX / 2 + 1 > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? COUNT_MAX / 2 + 1 : SHMEM_REDUCE_MIN_WRKDATA_SIZE)
static const int counts[] = {1, 2, 3, 7, 64, COUNT_MAX};

static long work_array[SHMEM_REDUCE_SYNC_SIZE];
static _Alignas(64) unsigned char area[(COUNT_MAX + 1) * 32];
static _Alignas(64) unsigned char work[WORK * 32];
static unsigned char *heap;

#define REDUCE(NAME, TYPE, OP, MAKE, NUMBER)                                                                           \
    static void reduce_##NAME##_##OP(const struct active_set *set, int count, bool in_place) {                         \
        TYPE *source = (TYPE *)(void *)area, *dest = in_place ? source : (TYPE *)(void *)heap;                         \
        for (int i = 0; i < count; i++) source[i] = MAKE(TYPE, NUMBER, set->rank, (size_t)i);                          \
        dest[count] = (TYPE)42;                                                                                        \
        shmem_barrier_all();                                                                                           \
        if (set->rank < 0) return;                                                                                     \
        shmem_##NAME##_##OP##_to_all(dest, source, count, set->start, set->log_stride, set->size,                      \
                                     (TYPE *)(void *)work, work_array);                                                \
        for (int i = 0; i < count; i++) {                                                                              \
            TYPE expected = MAKE(TYPE, NUMBER, 0, (size_t)i);                                                          \
            for (int k = 1; k < set->size; k++)                                                                        \
                expected = STEP_##OP(TYPE, expected, MAKE(TYPE, NUMBER, k, (size_t)i));                                \
            REQUIRE(dest[i] == expected, #NAME "_" #OP "_to_all of %d on set %d/%d/%d%s: element %d is wrong", count,  \
                    set->start, set->log_stride, set->size, in_place ? ", in place" : "", i);                          \
        }                                                                                                              \
        REQUIRE(dest[count] == (TYPE)42, #NAME "_" #OP "_to_all of %d wrote past its result", count);                  \
    }
#define INTEGER(NAME, TYPE)                                                                                            \
    REDUCE(NAME, TYPE, and, MAKE_REAL, pattern)                                                                        \
    REDUCE(NAME, TYPE, or, MAKE_REAL, pattern)                                                                         \
    REDUCE(NAME, TYPE, xor, MAKE_REAL, pattern)                                                                        \
    REAL(NAME, TYPE)
#define REAL(NAME, TYPE)                                                                                               \
    REDUCE(NAME, TYPE, max, MAKE_REAL, ordinal)                                                                        \
    REDUCE(NAME, TYPE, min, MAKE_REAL, ordinal)                                                                        \
    REDUCE(NAME, TYPE, sum, MAKE_REAL, summand)                                                                        \
    REDUCE(NAME, TYPE, prod, MAKE_REAL, factor)
#define COMPLEX(NAME, TYPE)                                                                                            \
    REDUCE(NAME, TYPE, sum, MAKE_COMPLEX, summand)                                                                     \
    REDUCE(NAME, TYPE, prod, MAKE_COMPLEX, factor)
SKERRY_FAMILY(OLD_INTEGER, INTEGER)
SKERRY_FAMILY(OLD_REAL, REAL)
SKERRY_FAMILY(COMPLEX, COMPLEX)

typedef void (*reduction)(const struct active_set *set, int count, bool in_place);
#define REAL_ROWS(NAME, TYPE) reduce_##NAME##_max, reduce_##NAME##_min, reduce_##NAME##_sum, reduce_##NAME##_prod,
#define INTEGER_ROWS(NAME, TYPE) reduce_##NAME##_and, reduce_##NAME##_or, reduce_##NAME##_xor, REAL_ROWS(NAME, TYPE)
#define COMPLEX_ROWS(NAME, TYPE) reduce_##NAME##_sum, reduce_##NAME##_prod,
static const reduction reductions[] = {SKERRY_FAMILY(OLD_INTEGER, INTEGER_ROWS) SKERRY_FAMILY(OLD_REAL, REAL_ROWS)
                                           SKERRY_FAMILY(COMPLEX, COMPLEX_ROWS)};

int main(void) {
    test_begin();
    heap = test_malloc(sizeof area);
    struct active_set sets[ACTIVE_SETS_MAX];
    int count = active_sets(sets);
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) work_array[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < TEST_COUNT(reductions); k++)
            reductions[k](&sets[i], counts[((size_t)i + k) % TEST_COUNT(counts)], (k + (size_t)i / 2) % 2);
    shmem_barrier_all();
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        REQUIRE(work_array[i] == SHMEM_SYNC_VALUE, "a reduction left element %d of pSync changed", i);
    return test_end();
}
