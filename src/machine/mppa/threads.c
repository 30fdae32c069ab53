// SPDX-License-Identifier: BSD-3-Clause
// Implements the POSIX threads that programs for the MPPA use (<utask.h>, <vbsp.h>): each thread has a core of its own, so
// a PE has as many threads as cores. A thread that waits polls. The types are those of the C library, words of 32 bits.
//
// This file is compiled as a part of the workers, like those of ../cluster.
#include "../cluster/internal.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

// -- Threads -----------------------------------------------------------------------------------------------------------

// What a pthread_t is the address of. pthread_join frees it, or the thread itself if it is detached.
struct thread {
    void *(*function)(void *);
    void *argument;
    void *result;
    uint32_t has_ended;
    uint32_t is_detached;
    jmp_buf end;
};

static SKERRY_PER_THREAD struct thread *own; // NULL: main

uint32_t skerry_threads_running; // jobs.h

bool skerry_thread_ends(void) {
    return own != NULL;
}

static void run(void *given) {
    struct thread *thread = given;
    own = thread;
    if (setjmp(thread->end) == 0) thread->result = thread->function(thread->argument);
    if (skerry_thread_destroy_objects) skerry_thread_destroy_objects();
    __atomic_fetch_sub(&skerry_threads_running, 1, __ATOMIC_RELEASE);
    const uint32_t is_detached = __atomic_load_n(&thread->is_detached, __ATOMIC_ACQUIRE);
    __atomic_store_n(&thread->has_ended, 1, __ATOMIC_RELEASE);
    if (is_detached) free(thread);
}

int pthread_create(pthread_t *number, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
    struct thread *thread = calloc(1, sizeof *thread);
    (void)attributes;
    if (!thread) return EAGAIN;
    thread->function = function;
    thread->argument = argument;
    *number = (pthread_t)(uintptr_t)thread;
    __atomic_fetch_add(&skerry_threads_running, 1, __ATOMIC_RELAXED);
    if (skerry_worker_start(run, thread) >= 0) return 0;
    __atomic_fetch_sub(&skerry_threads_running, 1, __ATOMIC_RELAXED);
    free(thread);
    return EAGAIN;
}

static struct thread *thread_of(pthread_t number) {
    return (struct thread *)(uintptr_t)number;
}

int pthread_join(pthread_t number, void **result) {
    struct thread *thread = thread_of(number);
    if (!thread || thread == own) return EDEADLK;
    while (!__atomic_load_n(&thread->has_ended, __ATOMIC_ACQUIRE)) {
    }
    if (result) *result = thread->result;
    free(thread);
    return 0;
}

int pthread_detach(pthread_t number) {
    if (!number) return ESRCH;
    __atomic_store_n(&thread_of(number)->is_detached, 1, __ATOMIC_RELEASE);
    return 0;
}

pthread_t pthread_self(void) {
    return (pthread_t)(uintptr_t)own;
}

int pthread_equal(pthread_t one, pthread_t other) {
    return one == other;
}

void pthread_exit(void *result) {
    if (!own) exit(EXIT_SUCCESS);
    own->result = result;
    longjmp(own->end, 1);
}

int pthread_attr_init(pthread_attr_t *attributes) {
    *attributes = (pthread_attr_t){.is_initialized = 1};
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
    (void)attributes;
    return 0;
}

// -- Mutexes -----------------------------------------------------------------------------------------------------------

// A mutex is 0 or PTHREAD_MUTEX_INITIALIZER if nobody holds it.
#define HELD 1u

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    (void)attributes;
    *mutex = 0;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    (void)mutex;
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    return __atomic_exchange_n((uint32_t *)mutex, HELD, __ATOMIC_ACQUIRE) == HELD ? EBUSY : 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    while (pthread_mutex_trylock(mutex) != 0) {
    }
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    __atomic_store_n((uint32_t *)mutex, 0, __ATOMIC_RELEASE);
    return 0;
}

// -- Barriers ----------------------------------------------------------------------------------------------------------

// Bits 0 to 7: threads that the barrier waits for; 8 to 15: those that have arrived; 16 to 31: rounds that have ended. One
// compare-swap changes all of them.
#define COUNT_MASK 0xffu
#define ARRIVED (1u << 8)
#define ROUND (1u << 16)

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
    (void)attributes;
    if (count == 0 || count > COUNT_MASK) return EINVAL;
    *(uint32_t *)barrier = count;
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    (void)barrier;
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
    uint32_t *const word = (uint32_t *)barrier;
    uint32_t before = __atomic_load_n(word, __ATOMIC_RELAXED), after;
    bool is_last;
    do {
        const uint32_t count = before & COUNT_MASK;
        is_last = before / ARRIVED % 256 + 1 == count;
        after = is_last ? (before / ROUND + 1) * ROUND | count : before + ARRIVED;
    } while (!__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    if (is_last) return PTHREAD_BARRIER_SERIAL_THREAD;
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) / ROUND == before / ROUND) {
    }
    return 0;
}
