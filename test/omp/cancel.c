// SPDX-License-Identifier: BSD-3-Clause
// Cancellation of regions, loops, sections and taskgroups where OMP_CANCELLATION allows it.
// env: OMP_CANCELLATION=true
#include "test.h"

static int threads;

static void region(void) {
    int came = 0, passed = 0, after = 0;
#pragma omp parallel
    {
        test_add(&came, 1);
        if (omp_get_thread_num() == threads / 2) {
#pragma omp cancel parallel
            REQUIRE(false, "past cancel");
        }
        // The others come here and learn of it at the barrier or at the point.
#pragma omp cancellation point parallel
#pragma omp barrier
        test_add(&passed, 1);
    }
#pragma omp parallel
    test_add(&after, 1);
    REQUIRE(came <= threads && passed == 0, "%d of %d came, %d passed a barrier that one never reached", came, threads,
            passed);
    REQUIRE(after == threads, "the next region has %d", after);
    // Threads that have no point to look at it but the region's end.
    int whole = 0;
#pragma omp parallel
    {
        test_add(&whole, 1);
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
        test_add(&whole, 1000);
    }
    REQUIRE(whole % 1000 == threads && whole / 1000 < threads, "%d", whole);
}

static void loop(void) {
    int ran = 0, threads_after = 0;
#pragma omp parallel
    {
#pragma omp for schedule(monotonic : dynamic) // iterations wait for number 10, whose thread must not keep it for later
        for (int i = 0; i < 100000; i++) {
            test_add(&ran, 1);
            if (i == 10) {
#pragma omp cancel for
                REQUIRE(false, "past cancel");
            }
            if (test_get(&ran) > 10) {
                while (omp_get_cancellation() && i != 10) {
#pragma omp cancellation point for
                    sched_yield();
                }
            }
        }
        test_add(&threads_after, 1);
        int next = 0;
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 50; i++) next++;
#pragma omp barrier
#pragma omp atomic
        ran += next * 1000000;
    }
    REQUIRE(ran % 1000000 < 100000 && threads_after == threads, "%d iterations, %d threads after", ran % 1000000,
            threads_after);
    REQUIRE(ran / 1000000 == 50, "the next loop ran %d", ran / 1000000);
}

// A loop that ends where its region may have been cancelled: nobody waits there for who has left.
static void loop_in_cancelled_region(void) {
    int ran = 0, passed = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 1000; i++) {
            test_add(&ran, 1);
#pragma omp cancel for if (i == 7)
        }
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 1000; i++) {
            test_add(&ran, 1);
#pragma omp cancellation point for
        }
        test_add(&passed, 1);
    }
    REQUIRE(passed == 0 && ran >= 1, "%d of %d went past a loop in which the region was cancelled", passed, threads);
}

static void static_loop(void) {
    int ran = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 1000; i++) {
            test_add(&ran, 1);
#pragma omp cancel for if (i < threads)
            REQUIRE(i >= threads, "past cancel");
        }
    }
    REQUIRE(ran >= 1 && ran <= threads, "%d iterations ran", ran);
}

static void sections(void) {
    int first = 0, rest = 0;
#pragma omp parallel
#pragma omp sections
    {
#pragma omp section
        {
            first = 1;
#pragma omp cancel sections
            first = 2;
        }
#pragma omp section
        {
#pragma omp cancellation point sections
            test_add(&rest, 1);
        }
#pragma omp section
        test_add(&rest, 1);
    }
    REQUIRE(first == 1 && rest <= 2, "first %d, rest %d", first, rest);
}

static void group(void) {
    int ran = 0, others = 0, points = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(others)
        test_add(&others, 1);
#pragma omp taskgroup
        {
            for (int i = 0; i < 200; i++) {
#pragma omp task shared(ran, points)
                {
                    test_add(&ran, 1);
#pragma omp cancel taskgroup if (i == 20)
#pragma omp cancellation point taskgroup
                    test_add(&points, 1);
                }
            }
        }
        // Those that had not begun are gone; a task made now runs.
        int before = test_get(&ran);
#pragma omp task shared(others)
        test_add(&others, 1);
#pragma omp taskwait
        REQUIRE(test_get(&ran) == before, "a task of a group that is over ran");
    }
    REQUIRE(others == 2 && ran >= 1 && points < ran, "others %d, ran %d, past the point %d", others, ran, points);
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(1)
        for (int i = 0; i < 100; i++) {
#pragma omp cancel taskgroup
            test_add(&others, 1);
        }
    }
    REQUIRE(others == 2, "past cancel in a taskloop");
}

int main(void) {
    REQUIRE(omp_get_cancellation(), "cancellation is not on");
    threads = omp_get_max_threads();
    for (int round = 0; round < 30; round++) {
        region();
        loop();
        loop_in_cancelled_region();
        static_loop();
        sections();
        group();
    }
    return 0;
}
