// SPDX-License-Identifier: BSD-3-Clause
// Threads of a PE for the tests of SHMEM_THREAD_MULTIPLE: all run the same function with their own number.
#ifndef SKERRY_TEST_SHMEM_THREADS_H
#define SKERRY_TEST_SHMEM_THREADS_H

#include "test.h"

#include <pthread.h>

#define THREADS 4

struct test_thread {
    pthread_t thread;
    int number;
    void (*work)(int number);
};

static void *test_thread_start(void *argument) {
    struct test_thread *thread = argument;
    thread->work(thread->number);
    return NULL;
}

// Runs work(0) to work(THREADS - 1) at the same time and waits for all.
static void test_run_threads(void (*work)(int number)) {
    struct test_thread threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        threads[i] = (struct test_thread){.number = i, .work = work};
        REQUIRE(pthread_create(&threads[i].thread, NULL, test_thread_start, &threads[i]) == 0, "no thread");
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i].thread, NULL);
}

#endif
