// SPDX-License-Identifier: BSD-3-Clause
// Gives each thread of a PE a small number. A thread gets the smallest free number when it first calls
// skerry_thread_number. When the thread ends, its number becomes free again.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>

#include "internal.h"

static uint64_t taken; // bit n: number n is in use
_Static_assert(SKERRY_THREAD_NUMBERS == 64, "a bit for each");
static pthread_key_t at_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int own = -1;

static void give_back(void *value) {
    __atomic_fetch_and(&taken, ~(UINT64_C(1) << ((uintptr_t)value - 1)), __ATOMIC_RELEASE);
}

static void make_key(void) {
    pthread_key_create(&at_end, give_back);
}

static int take_number(void) {
    uint64_t before = __atomic_load_n(&taken, __ATOMIC_RELAXED);
    for (;;) {
        if (~before == 0) return SKERRY_THREAD_NUMBERS;
        int number = __builtin_ctzll(~before);
        if (__atomic_compare_exchange_n(&taken, &before, before | UINT64_C(1) << number, true, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return number;
    }
}

int skerry_thread_number(void) {
    if (own >= 0) return own;
    pthread_once(&once, make_key);
    own = take_number();
    if (own < SKERRY_THREAD_NUMBERS) pthread_setspecific(at_end, (void *)((uintptr_t)own + 1));
    return own;
}
