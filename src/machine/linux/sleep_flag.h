// SPDX-License-Identifier: BSD-3-Clause
// The flag by which a writer knows that somebody may have to be woken: `sleeping` of a PE (wait.c) or of a worker (worker/wait.c).
//
// A writer stores its word and then loads the flag, both plainly; the processor may load first. One side must pay for the order:
//   a sleeper, by a membarrier, which interrupts every processor that runs one of the others. It takes microseconds.
//   or each writer, by a fence between its store and its load. It takes tens of nanoseconds.
// The first is right where threads seldom sleep, the second where they sleep after most waits, as on a machine with other programs.
// Which one it is cannot be known in advance, so a sleeper's first membarrier also asks writers to fence (WAKERS_FENCE), and as long
// as they do, other sleepers need no membarrier. A writer that has fenced FENCES_MOST times for nobody stops that. So neither costs
// more than about twice what the better of the two would have cost.
//
// Why no wake-up is lost. A sleeper that finds ALL_WAKERS_FENCE at its announcement relies on every later writer either to see
// ANNOUNCED or to have made its word visible before the sleeper looks at it once more:
//   ALL_WAKERS_FENCE is set by the sleeper that has set WAKERS_FENCE, after its membarrier. A writer that loaded the flag before it
//   held WAKERS_FENCE did so before that membarrier, which has then made its word visible. Every other writer fences first.
//   The flag becomes 0 only by a compare-and-swap from WAKERS_FENCE | ALL_WAKERS_FENCE, which fails if somebody is announced, and a
//   sleeper that comes later no longer finds ALL_WAKERS_FENCE. Both are one word, so there is an order between them.
//   Nobody else sets ALL_WAKERS_FENCE, and the flag does not become 0 without it: whoever sets it does so in the same period of
//   WAKERS_FENCE in which its membarrier was.
// Nothing weaker is right: without the fence a writer may load the flag before its word is visible, and a sleeper that looks between
// the two sleeps on. The model is test/model/sleep_flag.pml.
#ifndef SKERRY_MACHINE_LINUX_SLEEP_FLAG_H
#define SKERRY_MACHINE_LINUX_SLEEP_FLAG_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SKERRY_SLEEP_ANNOUNCED = 1,        // a thread sleeps or is about to
    SKERRY_SLEEP_WAKERS_FENCE = 2,     // whoever loads this fences, then loads the flag again
    SKERRY_SLEEP_ALL_WAKERS_FENCE = 4, // no writer is left that has not seen WAKERS_FENCE
    SKERRY_SLEEP_FENCES_MOST = 64,     // fences for nobody; together they cost as much as a membarrier
};

// Announces a sleeper. `membarrier` (skerry_fence_everywhere) makes every thread that writes execute a full fence. The caller then looks at its word once more.
static inline void skerry_sleep_announce(uint32_t *flag, bool (*membarrier)(void)) {
    uint32_t before = __atomic_fetch_or(flag, SKERRY_SLEEP_ANNOUNCED | SKERRY_SLEEP_WAKERS_FENCE, __ATOMIC_SEQ_CST);
    if (before & SKERRY_SLEEP_ALL_WAKERS_FENCE) return;
    membarrier();
    if (!(before & SKERRY_SLEEP_WAKERS_FENCE)) __atomic_fetch_or(flag, SKERRY_SLEEP_ALL_WAKERS_FENCE, __ATOMIC_SEQ_CST);
}

static inline bool skerry_sleep_is_announced(const uint32_t *flag) {
    return __atomic_load_n(flag, __ATOMIC_SEQ_CST) & SKERRY_SLEEP_ANNOUNCED;
}

// The thread sanitizer knows no fences. An atomic operation that changes nothing orders as much, but takes the flag's cache line.
static inline void skerry_sleep_fence(uint32_t *flag) {
#if defined(__SANITIZE_THREAD__)
    __atomic_fetch_or(flag, 0, __ATOMIC_SEQ_CST);
#else
    (void)flag;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

// For a writer that has stored its word and loaded a flag that is not 0: fences, and returns true if somebody is announced.
// `fences` counts the calling thread's fences for nobody.
static inline bool skerry_sleep_has_sleepers(uint32_t *flag, uint32_t *fences) {
    skerry_sleep_fence(flag);
    if (skerry_sleep_is_announced(flag)) {
        *fences = 0;
        return true;
    }
    if (++*fences < SKERRY_SLEEP_FENCES_MOST) return false;
    *fences = 0;
    uint32_t unused = SKERRY_SLEEP_WAKERS_FENCE | SKERRY_SLEEP_ALL_WAKERS_FENCE;
    __atomic_compare_exchange_n(flag, &unused, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    return false;
}

// Takes the announcement away. Returns true for the one of several writers that has to wake.
static inline bool skerry_sleep_claim(uint32_t *flag) {
    return __atomic_fetch_and(flag, ~(uint32_t)SKERRY_SLEEP_ANNOUNCED, __ATOMIC_SEQ_CST) & SKERRY_SLEEP_ANNOUNCED;
}

#endif
