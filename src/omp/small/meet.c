// SPDX-License-Identifier: BSD-3-Clause
// The barrier of a team. It also completes the stores of all threads to the memories of all cores, whatever pointers a
// program passes between its threads. No core can ask whether its stores have arrived, so the threads do this together:
// 1. Each thread stores an announcement into the memory of each thread. Stores of one core to one other core arrive in
//    order. So a thread that has the announcements of all threads also has all data that they stored to its memory.
// 2. When a thread has all announcements, it reports this: by the chip's own barrier WAND if the region has all cores of
//    the chip, otherwise by a second round of announcements. When a thread has the reports of all threads, the data of
//    the first step have arrived in all memories.
//
// An announcement is a byte in the receiver's memory that only its sender sets, and only the receiver clears. There is
// one array of these bytes for each of the two rounds.
// * The receiver clears the first array when it is complete, before it reports. A sender sets a byte of it again only in
//   the next barrier, after it has got that report.
// * The receiver clears the second array when it is complete. A sender sets a byte of it again only after it has got the
//   receiver's announcement of the next barrier, which the receiver sends later.
// The model of this protocol is test/model/announce.pml.
#include "small.h"

static struct meeting {
    volatile uint64_t announced[2][OMP_THREADS_MAX / 8]; // bytes; [0] for the first round
    uint64_t all[OMP_THREADS_MAX / 8]; // the arrays' contents when all threads have announced themselves
    uint32_t words;                    // number of double words that the team uses
    bool by_wand;
    bool has_16; // 16 threads, by_wand
    // The addresses of this thread's bytes in the first array of all threads, beginning with the next thread, so that the
    // threads do not all send to the same core at once.
    volatile uint8_t *const *bytes_end;
    _Alignas(8) volatile uint8_t *bytes[OMP_THREADS_MAX];
} meeting;

void skerry_omp_meet_set_up(uint32_t threads) {
    const uint32_t me = (uint32_t)skerry_my_pe();
    volatile uint8_t *own = (volatile uint8_t *)meeting.announced + me;
    uint32_t count = 0;
    for (uint32_t i = 1; i < threads; i++) {
        const uint32_t to = me + i < threads ? me + i : me + i - threads;
        meeting.bytes[count++] = skerry_global(own, (int)to);
    }
    do meeting.bytes[count++] = own; // fills the last group
    while (count % 4 != 0);
    meeting.bytes_end = meeting.bytes + count;
    for (uint32_t i = 0; i < OMP_THREADS_MAX; i++) ((uint8_t *)meeting.all)[i] = i < threads;
    meeting.words = (threads + 7) / 8;
    meeting.by_wand = skerry_has_hardware_barrier() && (int)threads == skerry_pe_count();
    meeting.has_16 = meeting.by_wand && threads == 16;
}

// Announces the thread to all threads, in the array of the round. A macro, because the distance must be a constant.
#define ANNOUNCE(ROUND)                                                                                                \
    do {                                                                                                               \
        skerry_compiler_fence();                                                                                       \
        volatile uint8_t *const *bytes = meeting.bytes, *const *const end = meeting.bytes_end;                         \
        do skerry_store_four(bytes, (ROUND) * sizeof meeting.announced[0]);                                            \
        while ((bytes += 4) != end);                                                                                   \
    } while (0)

// Waits until all threads have announced themselves, and clears the first two double words of the array. They are enough
// for 16 threads.
OMP_INLINE void await_two(size_t round) {
    volatile uint64_t *const words = meeting.announced[round];
    const uint64_t first = meeting.all[0], second = meeting.all[1];
    while (words[0] != first) continue;
    while (words[1] != second) continue;
    words[0] = 0;
    words[1] = 0;
    skerry_compiler_fence();
}

OMP_INLINE void await(size_t round) {
    await_two(round);
    for (uint32_t i = 2; i < meeting.words; i++) {
        while (meeting.announced[round][i] != meeting.all[i]) continue;
        meeting.announced[round][i] = 0;
    }
    skerry_compiler_fence();
}

// The second step of the barrier.
OMP_INLINE void report(void) {
    if (meeting.by_wand) {
        skerry_hardware_barrier();
    } else {
        ANNOUNCE(1);
        await(1);
    }
}

void skerry_omp_meet_here(void) {
    if (OMP_LIKELY(meeting.has_16)) {
        skerry_compiler_fence();
        skerry_store_sixteen(meeting.bytes, 0);
        await_two(0);
        skerry_hardware_barrier();
    } else {
        ANNOUNCE(0);
        await(0);
        report();
    }
}

void skerry_omp_meet_external(void) {
    skerry_complete_external();
    skerry_omp_meet_here();
}

// -- In programs with tasks (task.c) -----------------------------------------------------------------------------------

#pragma weak skerry_omp_tasks
#pragma weak skerry_omp_end_tasks
#pragma weak skerry_omp_run_any

// A thread announces itself when its tasks have ended. Until all threads have announced themselves, it runs the tasks that
// others give to it. When they have, no task is left. The stores of tasks that ran after their thread's announcement are
// not complete yet, so the threads meet a second time if tasks were made.
static __attribute__((noinline)) void await_with_tasks(void) {
    struct omp_tasks *tasks = &skerry_omp_tasks;
    for (uint32_t i = 0; i < meeting.words; i++) {
        while (meeting.announced[0][i] != meeting.all[i])
            if (tasks->were_made) skerry_omp_run_any();
        meeting.announced[0][i] = 0;
    }
    skerry_compiler_fence();
    if (!tasks->were_made) return report();
    tasks->were_made = 0;
    tasks->has_told = false;
    tasks->may_give = false;
    report();
    skerry_omp_meet_here();
}

static __attribute__((noinline)) void meet_with_tasks(void) {
    skerry_omp_end_tasks();
    ANNOUNCE(0);
    await_with_tasks();
}

// Serves threads that make no tasks until the end. `await_with_tasks` does the rest if another thread makes some.
void skerry_omp_meet_with_tasks(void) {
    const struct omp_tasks *tasks = &skerry_omp_tasks;
    if (tasks->were_made) return meet_with_tasks();
    volatile uint64_t *const words = meeting.announced[0];
    if (OMP_LIKELY(meeting.has_16)) {
        skerry_compiler_fence();
        skerry_store_sixteen(meeting.bytes, 0);
        const uint64_t first = meeting.all[0], second = meeting.all[1];
        while (words[0] != first)
            if (tasks->were_made) return await_with_tasks();
        while (words[1] != second)
            if (tasks->were_made) return await_with_tasks();
        if (tasks->were_made) return await_with_tasks();
        words[0] = 0;
        words[1] = 0;
        skerry_compiler_fence();
        skerry_hardware_barrier();
    } else {
        ANNOUNCE(0);
        for (uint32_t i = 0; i < meeting.words; i++)
            while (words[i] != meeting.all[i])
                if (tasks->were_made) return await_with_tasks();
        if (tasks->were_made) return await_with_tasks();
        await(0);
        report();
    }
}
