// SPDX-License-Identifier: BSD-3-Clause
// Starts and ends the threads of the runtime, and gives them numbers. Also resets the runtime's data in a child process
// that the program forks.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

SKERRY_PER_THREAD int skerry_worker_number = -1;

static pthread_key_t at_end;
static void (*forked)(void);
static size_t stack_bytes;
static uint64_t taken[SKERRY_WORKERS_MAX / 64]; // bit n: number n is in use
static pthread_mutex_t numbers = PTHREAD_MUTEX_INITIALIZER;

static int take_number(void) {
    int number = -1;
    pthread_mutex_lock(&numbers);
    for (int word = 0; word < SKERRY_WORKERS_MAX / 64 && number < 0; word++) {
        if (~taken[word] == 0) continue;
        int bit = __builtin_ctzll(~taken[word]);
        taken[word] |= UINT64_C(1) << bit;
        number = word * 64 + bit;
    }
    pthread_mutex_unlock(&numbers);
    return number;
}

static void give_number(int number) {
    pthread_mutex_lock(&numbers);
    taken[number / 64] &= ~(UINT64_C(1) << number % 64);
    pthread_mutex_unlock(&numbers);
}

bool skerry_is_worker(int number) {
    return __atomic_load_n(&taken[number / 64], __ATOMIC_RELAXED) >> number % 64 & 1;
}

static void count_awake(int more) {
    __atomic_fetch_add(&skerry_worker_facts.awake, more, __ATOMIC_RELAXED);
}

void skerry_worker_is_idle(bool rests) {
    struct skerry_eventcount *own = &skerry_eventcounts[skerry_worker_number];
    if (__atomic_exchange_n(&own->rests, rests, __ATOMIC_RELAXED) != rests) count_awake(rests ? -1 : 1);
}

void skerry_worker_is_awake(int number) {
    if (__atomic_exchange_n(&skerry_eventcounts[number].rests, 0, __ATOMIC_RELAXED)) count_awake(1);
}

static void adopted_ends(void *ends) {
    ((void (*)(void))ends)();
    give_number(skerry_worker_number);
    skerry_worker_number = -1;
    count_awake(-1);
}

void skerry_worker_adopt(void (*ends)(void)) {
    int number = take_number();
    if (number < 0) skerry_stop("libgomp: more than 65536 threads at once");
    skerry_worker_number = number;
    pthread_setspecific(at_end, (void *)ends);
    count_awake(1);
}

struct beginning {
    skerry_worker_main *main;
    void *argument;
    int number;
};

static void *run_worker(void *given) {
    struct beginning beginning = *(struct beginning *)given;
    free(given);
    skerry_worker_number = beginning.number;
    count_awake(1);
    skerry_watch_stack();
    beginning.main(beginning.argument);
    skerry_forget_stack();
    count_awake(-1);
    give_number(beginning.number);
    return NULL;
}

bool skerry_worker_stack(size_t bytes) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    bool is_possible = pthread_attr_setstacksize(&attributes, bytes) == 0;
    pthread_attr_destroy(&attributes);
    if (is_possible) stack_bytes = bytes;
    return is_possible;
}

int skerry_worker_start(skerry_worker_main *run, void *argument) {
    struct beginning *beginning = malloc(sizeof *beginning);
    int number = take_number();
    if (!beginning || number < 0) {
        free(beginning);
        if (number < 0) return SKERRY_NO_NUMBER;
        give_number(number);
        return SKERRY_NO_MEMORY;
    }
    *beginning = (struct beginning){run, argument, number};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (stack_bytes) pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_t thread;
    int error = pthread_create(&thread, &attributes, run_worker, beginning);
    pthread_attr_destroy(&attributes);
    if (!error) return number;
    free(beginning);
    give_number(number);
    return SKERRY_NO_THREAD;
}

// Runs in a child process after fork. The child has only one thread, which keeps the number that it had in the parent.
// All eventcounts (places where threads sleep) are cleared, because the threads that slept there exist only in the
// parent.
static void after_fork(void) {
    pthread_mutex_init(&numbers, NULL);
    for (int i = 0; i < SKERRY_EVENTCOUNTS / 64; i++) // leaves untouched pages untouched: the array has megabytes
        if (i >= SKERRY_WORKERS_MAX / 64 || taken[i])
            memset(&skerry_eventcounts[64 * i], 0, 64 * sizeof skerry_eventcounts[0]);
    memset(taken, 0, sizeof taken);
    skerry_worker_facts.awake = 0;
    skerry_worker_facts.sleepers = 0;
    if (skerry_worker_number >= 0) {
        taken[skerry_worker_number / 64] |= UINT64_C(1) << skerry_worker_number % 64;
        skerry_worker_facts.awake = 1;
    }
    skerry_prepare_waiting();
    if (forked) forked();
}

void skerry_at_fork(void (*function)(void)) {
    forked = function;
}

// Initialises the data of the files in this folder. Runs before the constructor of the OpenMP runtime, which reads the
// environment and uses this data.
__attribute__((constructor(101))) static void begin(void) {
    pthread_key_create(&at_end, adopted_ends);
    skerry_find_processors();
    skerry_prepare_waiting();
    pthread_atfork(NULL, NULL, after_fork);
}
