// SPDX-License-Identifier: BSD-3-Clause
// Inclusive and exclusive prefix sums of every type, on every kind of team, in place and not, against the serial result.
#include "operands.h"
#include "teams.h"

#include <skerry/shmem/types.h>

#define COUNT_MAX TEST_SIZE(1000, 50)
static const size_t counts[] = {0, 1, 2, 3, 7, TEST_SIZE(64, 8), TEST_SIZE(200, 23), COUNT_MAX};

static _Alignas(64) unsigned char static_source[(COUNT_MAX + 1) * 32];
static unsigned char *heap_dest;

#define SCAN(NAME, TYPE, KIND, MEMBERS, MAKE)                                                                          \
    static void KIND##_##NAME(const struct test_team *team, size_t count, bool in_place) {                             \
        TYPE *source = (TYPE *)(void *)static_source, *dest = in_place ? source : (TYPE *)(void *)heap_dest;           \
        for (size_t i = 0; i < count; i++) source[i] = MAKE(TYPE, summand, team->rank, i);                             \
        dest[count] = (TYPE)42;                                                                                        \
        shmem_team_sync(team->team);                                                                                   \
        REQUIRE(shmem_##NAME##_sum_##KIND(team->team, dest, source, count) == 0, #NAME "_sum_" #KIND " failed");       \
        for (size_t i = 0; i < count; i++) {                                                                           \
            TYPE expected = (TYPE)0;                                                                                   \
            for (int k = 0; k < MEMBERS; k++) expected = (TYPE)(expected + MAKE(TYPE, summand, k, i));                 \
            REQUIRE(dest[i] == expected, #NAME "_sum_" #KIND " of %zu on team %s%s: element %zu is wrong", count,      \
                    team->name, in_place ? ", in place" : "", i);                                                      \
        }                                                                                                              \
        REQUIRE(dest[count] == (TYPE)42, #NAME "_sum_" #KIND " of %zu wrote past its result", count);                  \
    }
#define REAL(NAME, TYPE)                                                                                               \
    SCAN(NAME, TYPE, inscan, team->rank + 1, MAKE_REAL)                                                                \
    SCAN(NAME, TYPE, exscan, team->rank, MAKE_REAL)
#define COMPLEX(NAME, TYPE)                                                                                            \
    SCAN(NAME, TYPE, inscan, team->rank + 1, MAKE_COMPLEX)                                                             \
    SCAN(NAME, TYPE, exscan, team->rank, MAKE_COMPLEX)
SKERRY_FAMILY(RMA, REAL)
SKERRY_FAMILY(COMPLEX, COMPLEX)

typedef void (*scan)(const struct test_team *team, size_t count, bool in_place);
#define ROWS(NAME, TYPE) inscan_##NAME, exscan_##NAME,
static const scan scans[] = {SKERRY_FAMILY(REDUCE_SUM, ROWS)};

static void try_team(const struct test_team *team, size_t number) {
    for (size_t k = 0; k < TEST_COUNT(scans); k++)
        for (size_t c = 0; c<TEST_COUNT(counts); c += pes> 4 ? 3 : 1)
            scans[k](team, counts[(k + number + c) % TEST_COUNT(counts)], (k + c + number / 2) % 2);
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
