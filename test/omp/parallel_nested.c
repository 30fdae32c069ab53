// SPDX-License-Identifier: BSD-3-Clause
// Nested regions: as many levels are active as omp_set_max_active_levels allows; the routines on levels name the ancestors.
// threads: 1 2 3 4
#include "test.h"

#define DEPTH 3
#define INNER 2

static int ran[DEPTH + 1];

static void descend(int depth, int allowed, const int *numbers, const int *sizes) {
    if (depth == DEPTH) return;
    int outer = depth == 0 ? omp_get_max_threads() : INNER;
    int expected = depth < allowed ? outer : 1;
    int here = 0;
#pragma omp parallel num_threads(outer)
    {
        int mine[DEPTH + 2], size[DEPTH + 2];
        memcpy(mine, numbers, sizeof mine);
        memcpy(size, sizes, sizeof size);
        int level = depth + 1;
        mine[level] = omp_get_thread_num();
        size[level] = omp_get_num_threads();
        REQUIRE(size[level] == expected, "depth %d of %d allowed: %d threads, not %d", depth, allowed, size[level],
                expected);
        test_meet(&here, expected);
        test_add(&ran[level], 1);
        REQUIRE(omp_get_level() == level, "level %d, not %d", omp_get_level(), level);
        int active = 0;
        for (int i = 0; i <= level; i++) {
            REQUIRE(omp_get_ancestor_thread_num(i) == mine[i], "ancestor at %d of %d is %d, not %d", i, level,
                    omp_get_ancestor_thread_num(i), mine[i]);
            REQUIRE(omp_get_team_size(i) == size[i], "team at %d of %d has %d, not %d", i, level, omp_get_team_size(i),
                    size[i]);
            active += size[i] > 1;
        }
        REQUIRE(omp_get_active_level() == active, "active level %d, not %d", omp_get_active_level(), active);
        REQUIRE(omp_get_ancestor_thread_num(level + 1) == -1 && omp_get_team_size(level + 1) == -1 &&
                    omp_get_ancestor_thread_num(-1) == -1 && omp_get_team_size(-1) == -1,
                "levels that are not there");
#pragma omp barrier
        descend(level, allowed, mine, size);
#pragma omp barrier
    }
}

int main(void) {
    int outermost = omp_get_max_threads();
    if (outermost == 1) outermost = 2; // so that the first level is active
    omp_set_num_threads(outermost);
    for (int allowed = 0; allowed <= DEPTH; allowed++) {
        int numbers[DEPTH + 2] = {0}, sizes[DEPTH + 2] = {1};
        memset(ran, 0, sizeof ran);
        omp_set_max_active_levels(allowed);
        REQUIRE(omp_get_max_active_levels() == allowed, "max active levels %d, not %d", omp_get_max_active_levels(),
                allowed);
        descend(0, allowed, numbers, sizes);
        int expected = 1;
        for (int level = 1; level <= DEPTH; level++) {
            if (level <= allowed) expected *= level == 1 ? outermost : INNER;
            REQUIRE(ran[level] == expected, "%d allowed: %d ran at level %d, not %d", allowed, ran[level], level,
                    expected);
        }
    }
    return 0;
}
