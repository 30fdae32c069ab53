// SPDX-License-Identifier: BSD-3-Clause
// Measures an atomic update and two kinds of reductions, which are columns of the table of Tendulkar et al. (2011).
// Compilers generate instructions for these constructs and call no library, so this file implements them by hand.
// * atomic_call: an update between GOMP_atomic_start and GOMP_atomic_end, which take and release a lock of the library
//   (SKERRY_OMP_LOCK chooses the kind of lock). A compiler calls them if the processor has no atomic instruction for an
//   update.
// * reduction_places: the master (thread 0) gathers the partial results of the threads from one place for each thread.
// * reduction_queue: the master gathers the partial results from a queue. The queue needs one fetch-and-add for each
//   partial result. All other accesses of both reductions are loads and stores.
#include "measure.h"

#include <sched.h>

#define LINE 128 // bytes; two cache lines, because processors fetch lines in pairs
#define THREADS_MAX 1024

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

static double value, reduced;

static void test_atomic_call(long count) {
#pragma omp parallel
    for (long i = 0; i < count; i++) {
        GOMP_atomic_start();
        value += 1;
        GOMP_atomic_end();
    }
}

// -- Reductions --------------------------------------------------------------------------------------------------------

struct part {
    _Alignas(LINE) double value;
    long number; // number of the reduction to which this part belongs
};

// `places` has a place for each thread, `slots` is the queue. In both kinds of reduction a thread stores its partial
// result and goes on to the end of the region. The thread does not wait for the master (thread 0) to read the result.
static struct part places[THREADS_MAX], slots[THREADS_MAX];
static _Alignas(LINE) long ticket;
static long reductions;
static bool is_oversubscribed;

static void put(struct part *part, double from, long number) {
    part->value = from;
    __atomic_store_n(&part->number, number, __ATOMIC_RELEASE);
}

// Waits until `part` belongs to reduction `number`, and returns its value. A poll that fails yields the processor if
// there are more threads than processors.
static double get(const struct part *part, long number) {
    while (__atomic_load_n(&part->number, __ATOMIC_ACQUIRE) != number)
        if (is_oversubscribed) sched_yield();
    return part->value;
}

static void test_reduction_places(long count) {
    const int team = threads;
    for (long i = 0; i < count; i++) {
        const long number = ++reductions;
#pragma omp parallel
        {
            const int me = omp_get_thread_num();
            do_work();
            if (me > 0) put(&places[me], 1, number);
            else {
                double sum = 1;
                for (int other = 1; other < team; other++) sum += get(&places[other], number);
                reduced = sum;
            }
        }
    }
}

static void test_reduction_queue(long count) {
    const int team = threads;
    for (long i = 0; i < count; i++) {
        const long number = ++reductions;
        ticket = 0;
#pragma omp parallel
        {
            do_work();
            if (omp_get_thread_num() > 0) put(&slots[__atomic_fetch_add(&ticket, 1, __ATOMIC_RELAXED)], 1, number);
            else {
                double sum = 1;
                for (int other = 0; other < team - 1; other++) sum += get(&slots[other], number);
                reduced = sum;
            }
        }
    }
}

static bool all_reduced(void) {
    return reduced == threads;
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    if (threads > THREADS_MAX) return 2;
    is_oversubscribed = threads > omp_get_num_procs();
    measure((struct measurement){.name = "atomic_call", .test = test_atomic_call, .operations = threads});
    measure((struct measurement){
        .name = "reduction_places", .test = test_reduction_places, .works = 1, .right = all_reduced});
    measure((struct measurement){
        .name = "reduction_queue", .test = test_reduction_queue, .works = 1, .right = all_reduced});
    return 0;
}
