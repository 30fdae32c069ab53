// SPDX-License-Identifier: BSD-3-Clause
// Critical sections and atomics that the compiler cannot do in one instruction. A named section's lock is in the word that the
// compiler gives it, unnamed ones share a lock, and so do atomics.
#include "mutex.h"

bool skerry_omp_token_locks;

static _Alignas(SKERRY_APART) uint32_t unnamed;
static _Alignas(SKERRY_APART) uint32_t atomics;

// Each look takes the lock's line away from a holder that will soon come back for it, so looks become rarer (bench omp, lock).
#define BACKOFF_STEPS_MAX 16

void skerry_omp_mutex_wait(uint32_t *word) {
    int bell = skerry_bell_of(word);
    uint32_t backoff = 1;
    SKERRY_PAUSE(pause);
    for (;;) {
        for (uint32_t i = 0; i < backoff && !skerry_pause_is_armed(&pause); i++) skerry_pause(&pause, bell);
        if (__atomic_load_n(word, __ATOMIC_RELAXED) == 0 && omp_mutex_try(word)) return;
        if (backoff < BACKOFF_STEPS_MAX) backoff *= 2;
        if (skerry_pause_is_armed(&pause)) skerry_pause(&pause, bell);
    }
}

void skerry_omp_token_wait(uint32_t *word, uint16_t ticket) {
    SKERRY_WAIT_UNTIL(__atomic_load_n((uint16_t *)(void *)word + 1, __ATOMIC_ACQUIRE) == ticket, skerry_bell_of(word));
}

OMP_EXPORT void GOMP_critical_start(void) {
    omp_mutex_take(&unnamed);
}

OMP_EXPORT void GOMP_critical_end(void) {
    omp_mutex_give(&unnamed);
}

OMP_EXPORT void GOMP_critical_name_start(void **name) {
    omp_mutex_take((uint32_t *)(void *)name);
}

OMP_EXPORT void GOMP_critical_name_end(void **name) {
    omp_mutex_give((uint32_t *)(void *)name);
}

OMP_EXPORT void GOMP_atomic_start(void) {
    omp_mutex_take(&atomics);
}

OMP_EXPORT void GOMP_atomic_end(void) {
    omp_mutex_give(&atomics);
}
