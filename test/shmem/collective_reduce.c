// SPDX-License-Identifier: BSD-3-Clause
// Every team reduction of every type, on every kind of team, in place and not, against the serial result.
#include "operands.h"
#include "teams.h"

#include <skerry/shmem/types.h>

#define COUNT_MAX TEST_SIZE(1000, 50)
static const size_t counts[] = {0, 1, 2, 3, 7, TEST_SIZE(64, 8), TEST_SIZE(200, 23), TEST_SIZE(201, 33), COUNT_MAX};

static _Alignas(64) unsigned char static_source[(COUNT_MAX + 1) * 32];
static unsigned char *heap_dest;

#define REDUCE(NAME, TYPE, OP, MAKE, NUMBER)                                                                           \
    static void reduce_##NAME##_##OP(const struct test_team *team, size_t count, bool in_place) {                      \
        TYPE *source = (TYPE *)(void *)static_source, *dest = in_place ? source : (TYPE *)(void *)heap_dest;           \
        for (size_t i = 0; i < count; i++) source[i] = MAKE(TYPE, NUMBER, team->rank, i);                              \
        dest[count] = (TYPE)42;                                                                                        \
        shmem_team_sync(team->team);                                                                                   \
        REQUIRE(shmem_##NAME##_##OP##_reduce(team->team, dest, source, count) == 0, #NAME "_" #OP "_reduce failed");   \
        for (size_t i = 0; i < count; i++) {                                                                           \
            TYPE expected = MAKE(TYPE, NUMBER, 0, i);                                                                  \
            for (int k = 1; k < team->size; k++) expected = STEP_##OP(TYPE, expected, MAKE(TYPE, NUMBER, k, i));       \
            REQUIRE(dest[i] == expected, #NAME "_" #OP "_reduce of %zu on team %s%s: element %zu is wrong", count,     \
                    team->name, in_place ? ", in place" : "", i);                                                      \
            REQUIRE(in_place || source[i] == MAKE(TYPE, NUMBER, team->rank, i), #NAME "_" #OP " changed its source");  \
        }                                                                                                              \
        REQUIRE(dest[count] == (TYPE)42, #NAME "_" #OP "_reduce of %zu wrote past its result", count);                 \
    }
#define BITWISE(NAME, TYPE)                                                                                            \
    REDUCE(NAME, TYPE, and, MAKE_REAL, pattern)                                                                        \
    REDUCE(NAME, TYPE, or, MAKE_REAL, pattern)                                                                         \
    REDUCE(NAME, TYPE, xor, MAKE_REAL, pattern)
#define ORDER(NAME, TYPE)                                                                                              \
    REDUCE(NAME, TYPE, max, MAKE_REAL, ordinal)                                                                        \
    REDUCE(NAME, TYPE, min, MAKE_REAL, ordinal)
#define ARITHMETIC(NAME, TYPE)                                                                                         \
    REDUCE(NAME, TYPE, sum, MAKE_REAL, summand)                                                                        \
    REDUCE(NAME, TYPE, prod, MAKE_REAL, factor)
#define COMPLEX(NAME, TYPE)                                                                                            \
    REDUCE(NAME, TYPE, sum, MAKE_COMPLEX, summand)                                                                     \
    REDUCE(NAME, TYPE, prod, MAKE_COMPLEX, factor)
SKERRY_FAMILY(REDUCE_BITWISE, BITWISE)
SKERRY_FAMILY(REDUCE_ORDER, ORDER)
SKERRY_FAMILY(RMA, ARITHMETIC)
SKERRY_FAMILY(COMPLEX, COMPLEX)

typedef void (*reduction)(const struct test_team *team, size_t count, bool in_place);
#define BITWISE_ROWS(NAME, TYPE) reduce_##NAME##_and, reduce_##NAME##_or, reduce_##NAME##_xor,
#define ORDER_ROWS(NAME, TYPE) reduce_##NAME##_max, reduce_##NAME##_min,
#define SUM_ROWS(NAME, TYPE) reduce_##NAME##_sum, reduce_##NAME##_prod,
static const reduction reductions[] = {SKERRY_FAMILY(REDUCE_BITWISE, BITWISE_ROWS)
                                           SKERRY_FAMILY(REDUCE_ORDER, ORDER_ROWS) SKERRY_FAMILY(REDUCE_SUM, SUM_ROWS)};

static void try_team(const struct test_team *team, size_t number) {
    for (size_t k = 0; k < TEST_COUNT(reductions); k++) {
        reductions[k](team, counts[(k + number) % TEST_COUNT(counts)], false);
        reductions[k](team, counts[(k + number + 3) % TEST_COUNT(counts)], true);
    }
}

int main(void) {
    test_begin();
    heap_dest = test_malloc(sizeof static_source);
    struct test_team teams[TEST_TEAMS_MAX];
    int count = test_teams(teams);
    for (int i = 0; i < count; i++)
        if (teams[i].team != SHMEM_TEAM_INVALID) try_team(&teams[i], (size_t)i);
    test_teams_end(teams, count);
    return test_end();
}
