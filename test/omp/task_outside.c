// SPDX-License-Identifier: BSD-3-Clause
// Tasks made outside any region: they run, in whatever order dependences allow, with taskwait, taskgroup and taskyield; and with
// nothing that waits for them too, as nothing need come there that does.
// threads: 1 4
#include "test.h"

static int unawaited;

static void make_unawaited(void) {
    TEST_UNUSED static int cell;
#pragma omp task priority(5)
    unawaited++;
#pragma omp task depend(out : cell)
    unawaited++;
#pragma omp task depend(in : cell) priority(2)
    unawaited++;
#pragma omp task
    unawaited++;
}

// One that depends on a task whose event is still to come.
static void make_after_event(void) {
    TEST_UNUSED static int cell;
    omp_event_handle_t event;
#pragma omp task depend(out : cell) detach(event)
    unawaited++;
#pragma omp task depend(in : cell)
    unawaited++;
    omp_fulfill_event(event);
}

int main(void) {
    make_unawaited();
#pragma omp parallel
    {}
    REQUIRE(unawaited == 4, "%d ran", unawaited);
    if (getenv("SKERRY_OMP_TEST_PEER")) return 0; // it would wait for the event first
    make_after_event();
    REQUIRE(unawaited == 6, "%d ran", unawaited);
    int ran = 0, order = 0;
    TEST_UNUSED static int cell;
    for (int i = 0; i < 100; i++) {
        long copy[20];
        for (int k = 0; k < 20; k++) copy[k] = i;
#pragma omp task shared(ran) firstprivate(copy)
        {
            REQUIRE(copy[19] == i && omp_get_thread_num() == 0, "task %d", i);
            ran++;
        }
#pragma omp task depend(inout : cell) shared(order)
        {
            REQUIRE(order == i, "%d where %d should be", i, order);
            order++;
        }
#pragma omp taskyield
    }
#pragma omp taskwait
    REQUIRE(ran == 100 && order == 100, "%d and %d ran", ran, order);
#pragma omp taskgroup
    {
#pragma omp task shared(ran)
        ran++;
    }
    REQUIRE(ran == 101, "past the group: %d", ran);
    return 0;
}
