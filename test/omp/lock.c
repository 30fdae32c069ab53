// SPDX-License-Identifier: BSD-3-Clause
// Locks and nestable locks: exclusion, test, releases by another thread, owners that are tasks, and many locks at once.
#include "test.h"

#define LOCKS 200

static omp_lock_t many[LOCKS];
static long counts[LOCKS];

static void exclusion(int rounds) {
    omp_lock_t lock, tested;
    long count = 0, copy = 0, tried = 0;
    omp_init_lock(&lock);
    omp_init_lock(&tested);
#pragma omp parallel
    for (int i = 0; i < rounds; i++) {
        omp_set_lock(&lock);
        REQUIRE(count == copy, "two hold a lock");
        count++;
        copy++;
        omp_unset_lock(&lock);
        while (!omp_test_lock(&tested)) sched_yield();
        tried++;
        omp_unset_lock(&tested);
    }
    long right = (long)omp_get_max_threads() * rounds;
    REQUIRE(count == right && tried == right, "%ld and %ld of %ld", count, tried, right);
    omp_destroy_lock(&lock);
    omp_destroy_lock(&tested);
}

// Thread 0 releases a lock that the other threads take, which wait for it at the same time. OpenMP does not say what happens
// then, but programs do it.
static void released_by_other(int rounds) {
    omp_lock_t lock;
    int taken = 0, held = 0;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        const int others = omp_get_num_threads() - 1;
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < others * rounds; i++) {
                test_wait(&held, 1);
#pragma omp atomic write
                held = 0;
                omp_unset_lock(&lock);
            }
        } else {
            for (int i = 0; i < rounds; i++) {
                omp_set_lock(&lock);
                REQUIRE(test_get(&held) == 0, "two hold a lock");
                taken++;
                // Releases `taken` to thread 0, which releases the lock to the next one: this thread might not use the lock again.
                test_set(&held, 1);
            }
        }
    }
    REQUIRE(taken == (omp_get_max_threads() - 1) * rounds, "a lock was taken %d times", taken);
    REQUIRE(omp_test_lock(&lock), "a lock that another thread has released is not free");
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
}

static void testing(void) {
    omp_lock_t lock;
    int inside = 0;
    omp_init_lock(&lock);
    REQUIRE(omp_test_lock(&lock), "a free lock is not taken");
    REQUIRE(!omp_test_lock(&lock), "a taken lock is taken");
#pragma omp parallel reduction(+ : inside)
    inside += omp_test_lock(&lock);
    REQUIRE(inside == 0, "%d took a taken lock", inside);
    omp_unset_lock(&lock);
#pragma omp parallel reduction(+ : inside)
    inside += omp_test_lock(&lock);
    REQUIRE(inside == 1, "%d took a free lock", inside);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
}

static void nestable(int rounds) {
    omp_nest_lock_t lock;
    long count = 0, copy = 0;
    omp_init_nest_lock(&lock);
#pragma omp parallel
    for (int i = 0; i < rounds; i++) {
        omp_set_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        REQUIRE(omp_test_nest_lock(&lock) == 3, "the third time is another");
        REQUIRE(count == copy, "two hold a nestable lock");
        count++;
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
        copy++;
        omp_unset_nest_lock(&lock);
        int depth = omp_test_nest_lock(&lock);
        REQUIRE(depth == 0 || depth == 1, "test of another's lock says %d", depth);
        if (depth) omp_unset_nest_lock(&lock);
    }
    REQUIRE(count == (long)omp_get_max_threads() * rounds, "%ld", count);
    // Its owner is the task, not the thread.
    int maker_has = 0;
#pragma omp parallel
#pragma omp single
    {
        omp_set_nest_lock(&lock);
        maker_has = omp_test_nest_lock(&lock);
#pragma omp task if (0)
        REQUIRE(omp_test_nest_lock(&lock) == 0, "a child task took its parent's lock");
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
#pragma omp task
        {
            REQUIRE(omp_test_nest_lock(&lock) == 1, "a free lock is not taken");
            omp_unset_nest_lock(&lock);
        }
    }
    REQUIRE(maker_has == 2, "depth %d", maker_has);
    omp_destroy_nest_lock(&lock);
}

static void many_locks(int rounds) {
    for (int i = 0; i < LOCKS; i++) omp_init_lock(&many[i]);
#pragma omp parallel
    {
        uint64_t state = (uint64_t)omp_get_thread_num();
        for (int i = 0; i < rounds; i++) {
            int at = (int)(test_random(&state) % LOCKS);
            omp_set_lock(&many[at]);
            counts[at]++;
            omp_unset_lock(&many[at]);
        }
    }
    long sum = 0;
    for (int i = 0; i < LOCKS; i++) {
        sum += counts[i];
        omp_destroy_lock(&many[i]);
    }
    REQUIRE(sum == (long)omp_get_max_threads() * rounds, "%ld", sum);
}

static void handed_on(void) {
    // Set by one thread, waited for by all others.
    omp_lock_t lock;
    int through = 0;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel
    {
#pragma omp master
        {
            REQUIRE(test_get(&through) == 0, "someone came through a lock that is held");
            omp_unset_lock(&lock);
        }
        omp_set_lock(&lock);
        test_add(&through, 1);
        omp_unset_lock(&lock);
    }
    REQUIRE(through == omp_get_max_threads(), "%d came through", through);
    omp_destroy_lock(&lock);
}

int main(void) {
    exclusion(test_rounds(10000));
    testing();
    if (omp_get_max_threads() > 1) released_by_other(50);
    nestable(test_rounds(5000));
    many_locks(test_rounds(20000));
    for (int i = 0; i < 20; i++) handed_on();
    return 0;
}
