// SPDX-License-Identifier: BSD-3-Clause
// detach: a task is done when its body has run and its event is fulfilled: by itself, by another task, or by another thread
// while the region waits.
// GCC 12 believes, when it optimises, that the library does not write the handle.
// flags: -O0
#include "test.h"

#define COUNT 18 // libgomp 12 has no more than 64 detached tasks a thread

static omp_event_handle_t events[COUNT];
static int ready[COUNT], cells[COUNT];

static void by_itself(void) {
    int ran = 0;
    for (int i = 0; i < COUNT; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(ran)
        {
            test_add(&ran, 1);
            omp_fulfill_event(event);
        }
    }
#pragma omp taskwait
    REQUIRE(test_get(&ran) == COUNT, "by itself: %d of %d", test_get(&ran), COUNT);
}

static void before_it_begins(void) {
    int ran = 0;
    for (int i = 0; i < COUNT; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(ran)
        test_add(&ran, 1);
        omp_fulfill_event(event); // by the maker, who has its handle
    }
#pragma omp taskwait
    REQUIRE(test_get(&ran) == COUNT, "by the maker: %d of %d", test_get(&ran), COUNT);
}

static void by_another_task(void) {
    int ended = 0;
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < COUNT; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : cells[i])
        cells[i] = 1;
#pragma omp task depend(in : cells[i]) shared(ended)
        {
            REQUIRE(test_get(&ready[i]) == 1, "%d: its successor ran before it was fulfilled", i);
            test_add(&ended, 1);
        }
#pragma omp task firstprivate(event)
        {
            test_set(&ready[i], 1);
            omp_fulfill_event(event);
        }
    }
#pragma omp taskwait
    REQUIRE(test_get(&ended) == COUNT, "by another task: %d of %d", test_get(&ended), COUNT);
    memset(ready, 0, sizeof ready);
}

static void in_a_group(void) {
    int after = 0;
    omp_event_handle_t event;
#pragma omp taskgroup
    {
#pragma omp task detach(event)
        {}
#pragma omp task shared(after)
        {
            test_set(&after, 1);
            omp_fulfill_event(event);
        }
    }
    REQUIRE(after == 1, "past the group before its task was done");
}

int main(void) {
    for (int round = 0; round < 10; round++) {
#pragma omp parallel
#pragma omp single
        {
            by_itself();
            before_it_begins();
            by_another_task();
            in_a_group();
        }
        // Thread 0 fulfils what others have made, at the region's end.
        int threads = omp_get_max_threads(), made = 0;
        static int fulfilled;
        fulfilled = 0;
#pragma omp parallel
        {
            int me = omp_get_thread_num();
            if (me != 0 || threads == 1) {
                omp_event_handle_t event;
#pragma omp task detach(event)
                {}
                events[me % COUNT] = event;
                test_add(&made, 1);
            }
            if (me == 0) {
                test_wait(&made, threads == 1 ? 1 : threads - 1);
                for (int i = threads == 1 ? 0 : 1; i < threads; i++) {
                    test_add(&fulfilled, 1);
                    omp_fulfill_event(events[i]);
                }
            }
        }
        REQUIRE(fulfilled == (threads == 1 ? 1 : threads - 1), "past the region with %d", fulfilled);
    }
    return 0;
}
