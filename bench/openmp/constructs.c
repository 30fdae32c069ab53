// SPDX-License-Identifier: BSD-3-Clause
// Measures the cost of each construct, after EPCC's syncbench. Also measures figure 1 of Tendulkar et al. (2011):
// the times that a parallel region needs to start and to end.
#include "measure.h"

static omp_lock_t lock;
static double atomic_value, reduced;

static void test_parallel(long count) {
    for (long i = 0; i < count; i++) {
#pragma omp parallel
        do_work();
    }
}

// Runs `count` parallel regions. The time of a region's start is from just before the region until thread 0 begins its
// work. Returns the sum of these times in ns.
static double timed_parallel_start(long count) {
    double total = 0;
    for (long i = 0; i < count; i++) {
        double began = measure_now(), ended = 0;
#pragma omp parallel shared(ended)
        {
            if (omp_get_thread_num() == 0) ended = measure_now();
            do_work();
        }
        total += ended - began - measure_clock;
    }
    return total;
}

// Runs `count` parallel regions. The time of a region's end is from the end of thread 0's work until the region has
// ended. Returns the sum of these times in ns.
static double timed_parallel_end(long count) {
    double total = 0;
    for (long i = 0; i < count; i++) {
        double began = 0;
#pragma omp parallel shared(began)
        {
            do_work();
            if (omp_get_thread_num() == 0) began = measure_now();
        }
        total += measure_now() - began - measure_clock;
    }
    return total;
}

static void test_for(long count) {
    const int team = threads;
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp for
        for (int k = 0; k < team; k++) do_work();
    }
}

static void test_parallel_for(long count) {
    const int team = threads;
    for (long i = 0; i < count; i++) {
#pragma omp parallel for
        for (int k = 0; k < team; k++) do_work();
    }
}

static void test_barrier(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) {
        do_work();
#pragma omp barrier
    }
}

static void test_single(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp single
        do_work();
    }
}

static void test_sections(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp sections
        {
#pragma omp section
            do_work();
#pragma omp section
            do_work();
        }
    }
}

// Measures critical sections. In a turn each thread enters the critical section one time, one thread after the other.
static void test_critical(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp critical
        do_work();
    }
}

static void test_lock(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) {
        omp_set_lock(&lock);
        do_work();
        omp_unset_lock(&lock);
    }
}

static void test_lock_alone(long count) {
    for (long i = 0; i < count; i++) {
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
    }
}

static void test_ordered(long count) {
#pragma omp parallel for ordered schedule(static, 1)
    for (long i = 0; i < count; i++) {
#pragma omp ordered
        do_work();
    }
}

// Measures atomic updates. For them the compiler generates processor instructions and no library call.
static void test_atomic(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) {
#pragma omp atomic
        atomic_value += 1;
    }
}

static void test_reduction(long count) {
    for (long i = 0; i < count; i++) {
        double sum = 0;
#pragma omp parallel reduction(+ : sum)
        {
            do_work();
            sum += 1;
        }
        reduced = sum;
    }
}

static bool all_reduced(void) {
    return reduced == threads;
}

static void measure_locks(double team) {
    omp_init_lock(&lock);
    measure((struct measurement){.name = "lock", .test = test_lock, .works = team, .operations = team});
    measure((struct measurement){.name = "lock_alone", .test = test_lock_alone});
    omp_destroy_lock(&lock);
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    const double team = threads;
    measure((struct measurement){.name = "parallel", .test = test_parallel, .works = 1});
    measure((struct measurement){.name = "parallel_start", .timed = timed_parallel_start});
    measure((struct measurement){.name = "parallel_end", .timed = timed_parallel_end});
    measure((struct measurement){.name = "for", .test = test_for, .works = 1});
    measure((struct measurement){.name = "parallel_for", .test = test_parallel_for, .works = 1});
    measure((struct measurement){.name = "barrier", .test = test_barrier, .works = 1});
    measure((struct measurement){.name = "single", .test = test_single, .works = 1});
    measure((struct measurement){.name = "sections", .test = test_sections, .works = threads > 1 ? 1 : 2});
    measure((struct measurement){.name = "critical", .test = test_critical, .works = team, .operations = team});
    if (measure_wanted("lock") || measure_wanted("lock_alone")) measure_locks(team);
    measure((struct measurement){.name = "ordered", .test = test_ordered, .works = 1});
    measure((struct measurement){.name = "atomic", .test = test_atomic, .operations = team});
    measure((struct measurement){.name = "reduction", .test = test_reduction, .works = 1, .right = all_reduced});
    return 0;
}
