// SPDX-License-Identifier: BSD-3-Clause
// What the tests of collectives on few types share: they try every team at sizes around which algorithms change, in as little
// memory as a chip's core has.
#ifndef SKERRY_TEST_SHMEM_FEW_TYPES_H
#define SKERRY_TEST_SHMEM_FEW_TYPES_H

#include "teams.h"

#define COUNT_MAX 500
#define GUARDS 4

static int source[COUNT_MAX + GUARDS], dest[COUNT_MAX + GUARDS];
static const size_t counts[] = {0, 1, 2, 3, 8, 9, 33, 64, 121, 250, 450};
static struct test_team teams[TEST_TEAMS_MAX];
static int calls;

static int value(int world, size_t i) {
    return calls + world * 1000 + (int)i * 7;
}

static void prepare(size_t elements) {
    calls++;
    for (size_t i = 0; i < elements; i++) source[i] = value(me, i);
    for (size_t i = 0; i < COUNT_MAX + GUARDS; i++) dest[i] = -1;
    shmem_sync_all(); // everybody's destination is ready
}

static void require_end(const struct test_team *team, size_t elements, const char *what) {
    for (size_t i = elements; i < elements + GUARDS; i++)
        REQUIRE(dest[i] == -1, "%s on %s: element %d behind the result was written", what, team->name, (int)i);
}

static void require_value(const struct test_team *team, const char *what, size_t at, int wanted) {
    REQUIRE(dest[at] == wanted, "%s on %s: element %d is %d, not %d", what, team->name, (int)at, dest[at], wanted);
}

// Each of the team's PEs and the others call `try_one` for every team and count.
static void try_all(void (*try_one)(const struct test_team *team, size_t count)) {
    test_begin();
    int count = test_teams(teams);
    for (size_t c = 0; c < TEST_COUNT(counts); c++)
        for (int t = 0; t < count; t++) try_one(&teams[t], counts[c]);
    shmem_barrier_all();
    test_teams_end(teams, count);
}

#endif
