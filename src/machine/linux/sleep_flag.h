// SPDX-License-Identifier: BSD-3-Clause
// Defines the flag by which a writer sees that threads possibly sleep: the word `sleeping` of an eventcount
// (eventcount.h). A writer stores its word and then loads the flag, both without ordering. So the processor can execute
// the load first. The model is test/model/sleep_flag.pml.
//
// One of two fences ensures the order:
// * The sleeper executes a membarrier: a system call that makes every running thread that can write execute a fence. It
//   takes microseconds, and costs less if threads seldom sleep.
// * Each writer executes a fence between its store and its load. It takes tens of nanoseconds, and costs less if
//   threads sleep in most waits, for example beside other programs.
//
// How the protocol chooses, because the better way is not known in advance:
// * A sleeper that executes a membarrier also sets a bit that makes writers fence (WAKERS_FENCE). As long as writers
//   fence, other sleepers need no membarrier.
// * A writer that has found no sleeper after FENCES_MOST fences in a row clears the bit.
// * So the total cost is at most about twice the cost of the better way.
//
// Why no wake-up is lost. A sleeper that finds ALL_WAKERS_FENCE when it announces itself relies on this: every later
// writer either sees ANNOUNCED, or has made its word visible before the sleeper polls the word once more. Four facts
// prove it:
// * The sleeper that has set WAKERS_FENCE sets ALL_WAKERS_FENCE after its membarrier. A writer that loaded the flag
//   before WAKERS_FENCE was set did so before that membarrier. The membarrier has then made the writer's word visible.
// * Every other writer sees WAKERS_FENCE, fences, and then loads the flag again.
// * The flag becomes 0 only by a compare-and-swap from WAKERS_FENCE | ALL_WAKERS_FENCE. This compare-and-swap fails if
//   a sleeper is announced. A sleeper that announces itself later does not find ALL_WAKERS_FENCE, and does not rely on
//   it. ANNOUNCED and ALL_WAKERS_FENCE are bits of one word, so the announcement and the compare-and-swap have an
//   order.
// * Only the sleeper that has set WAKERS_FENCE sets ALL_WAKERS_FENCE. WAKERS_FENCE is cleared only after
//   ALL_WAKERS_FENCE was set. So WAKERS_FENCE stays set from that sleeper's membarrier until that sleeper sets
//   ALL_WAKERS_FENCE.
//
// Why nothing weaker is right: without the fence a writer can load the flag before its word is visible. Suppose that a
// sleeper announces itself and polls its word in between. Then the sleeper does not see the new value, the writer does
// not see the announcement, and the sleeper is not woken.
#ifndef SKERRY_MACHINE_LINUX_SLEEP_FLAG_H
#define SKERRY_MACHINE_LINUX_SLEEP_FLAG_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SKERRY_SLEEP_ANNOUNCED = 1,        // a thread sleeps or is about to sleep
    SKERRY_SLEEP_WAKERS_FENCE = 2,     // a writer that loads this bit executes a fence and loads the flag again
    SKERRY_SLEEP_ALL_WAKERS_FENCE = 4, // every writer that loads the flag now sees WAKERS_FENCE
    // A thread that has executed this number of fences in a row without finding a sleeper clears WAKERS_FENCE. Together
    // these fences cost as much as the sleeper's system call membarrier.
    SKERRY_SLEEP_FENCES_MOST = 64,
};

// Announces a sleeper. `membarrier` (skerry_fence_everywhere) makes a system call, by which every thread that writes
// executes a full fence. The caller then polls its word once more before it sleeps.
static inline void skerry_sleep_announce(uint32_t *flag, bool (*membarrier)(void)) {
    uint32_t before = __atomic_fetch_or(flag, SKERRY_SLEEP_ANNOUNCED | SKERRY_SLEEP_WAKERS_FENCE, __ATOMIC_SEQ_CST);
    if (before & SKERRY_SLEEP_ALL_WAKERS_FENCE) return;
    membarrier();
    if (!(before & SKERRY_SLEEP_WAKERS_FENCE)) __atomic_fetch_or(flag, SKERRY_SLEEP_ALL_WAKERS_FENCE, __ATOMIC_SEQ_CST);
}

static inline bool skerry_sleep_is_announced(const uint32_t *flag) {
    return __atomic_load_n(flag, __ATOMIC_SEQ_CST) & SKERRY_SLEEP_ANNOUNCED;
}

// Executes a full fence. The thread sanitizer does not understand fences. For the sanitizer this function executes an
// atomic operation that changes nothing. Its effect is that of a fence, but it is slower, because it moves the flag's
// cache line to this processor.
static inline void skerry_sleep_fence(uint32_t *flag) {
#if defined(__SANITIZE_THREAD__)
    __atomic_fetch_or(flag, 0, __ATOMIC_SEQ_CST);
#else
    (void)flag;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

// Called by a writer that has stored its word and loaded a flag that is not 0. Executes a fence. Returns true if a
// sleeper is announced. `fences` counts the calling thread's fences that found no sleeper.
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

// Clears the announcement. If several writers call this function at the same time, only one of them gets the result
// true. That writer must wake the sleepers.
static inline bool skerry_sleep_claim(uint32_t *flag) {
    return __atomic_fetch_and(flag, ~(uint32_t)SKERRY_SLEEP_ANNOUNCED, __ATOMIC_SEQ_CST) & SKERRY_SLEEP_ANNOUNCED;
}

#endif
