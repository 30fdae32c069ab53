// SPDX-License-Identifier: BSD-3-Clause
// A tree of tasks that add to the result of their parents. Tasks of some depths wait for their children; the others end
// before them, so the children are waited for at the end of the region, or of the group around the tree. Tasks of one
// depth change a control variable, which only their descendants inherit. A machine whose nested regions are all serial has
// one value of this variable, so there it stays.
#include "test.h"

#define DEPTH 6

static int nodes, leaves, wrong;

static void tree(int depth, int waits, int levels) {
#pragma omp atomic
    nodes++;
    if (omp_get_max_active_levels() != levels) {
#pragma omp atomic
        wrong++;
    }
    if (depth == 0) {
#pragma omp atomic
        leaves++;
        return;
    }
    if (depth == 3 && levels < omp_get_supported_active_levels()) omp_set_max_active_levels(++levels);
    int left = 0, right = 0;
#pragma omp task shared(left)
    {
        tree(depth - 1, waits, levels);
        if (waits >> depth & 1) left = 1;
    }
#pragma omp task shared(right)
    {
        tree(depth - 1, waits, levels);
        if (waits >> depth & 1) right = 1;
    }
    if (waits >> depth & 1) {
#pragma omp taskwait
        REQUIRE(left == 1 && right == 1, "a taskwait at depth %d ended before %d", depth, 2 - left - right);
    }
}

int main(void) {
    const int levels = omp_get_max_active_levels() < 4 ? omp_get_max_active_levels() : 4;
    omp_set_max_active_levels(levels);
    for (int waits = 0; waits < 2 << DEPTH; waits += 21) {
        nodes = leaves = wrong = 0;
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskgroup
            tree(DEPTH, waits, levels);
            REQUIRE(test_get(&nodes) == (2 << DEPTH) - 1, "waits %x: %d tasks ended in the group", waits,
                    test_get(&nodes));
            tree(DEPTH, waits, levels);
            omp_set_max_active_levels(levels);
        }
        REQUIRE(nodes == 2 * ((2 << DEPTH) - 1) && leaves == 2 << DEPTH, "waits %x: %d tasks, %d of them leaves", waits,
                nodes, leaves);
        REQUIRE(wrong == 0, "waits %x: %d tasks with another control variable", waits, wrong);
    }
    return 0;
}
