// SPDX-License-Identifier: BSD-3-Clause
// Puts and gets with events that DMA channels do while the program computes: calls that return at once, calls that append
// to a chain at each point of the end of its last copy, more copies than the chain holds, channels that OpenSHMEM uses too,
// and handlers that begin puts while the program does.
#include <aos.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

#define LARGE 8192 // bytes of the large transfers
#define SMALL 1024 // the smallest put that a channel does

// In the window: what the program puts, and what its handlers put.
static unsigned char window[LARGE + SMALL] __attribute__((aligned(8))), data[LARGE] __attribute__((aligned(8)));
static aos_segment_t own, right;
static volatile int handled;
static int me, pes, next;

static void require(int holds, const char *what, int value) {
    if (holds) return;
    printf("PE %d: %s: %d\n", me, what, value);
    shmem_global_exit(1);
}

// Returns the value of event timer 1, which counts down.
static unsigned timer(void) {
    unsigned now;
    __asm__ volatile("movfs %0, ctimer1" : "=r"(now) : : "memory");
    return now;
}

static void timer_start(void) {
    unsigned config;
    __asm__ volatile("movts ctimer1, %0" : : "r"(~0u));
    __asm__ volatile("movfs %0, config\n\torr %0, %0, %1\n\tmovts config, %0" : "=&r"(config) : "r"(0x100) : "cc");
}

// Puts, and returns the cycles of the call.
static unsigned put(unsigned from, unsigned bytes, aos_event_t *done) {
    const unsigned begin = timer();
    require(aos_put(data + from, &right, from, bytes, done) == AOS_SUCCESS, "aos_put of bytes", (int)bytes);
    return begin - timer();
}

// Waits for an event, but not for ever.
static void await(aos_event_t *done, const char *what, int value) {
    const unsigned begin = timer();
    while (aos_event_test(done) == 0) require(begin - timer() < 100000, what, value);
}

static void fill(int round) {
    for (int i = 0; i < LARGE; i++) data[i] = (unsigned char)(me * 37 + round * 11 + i * 7 + (i >> 8));
}

// Checks what this PE has got from the PE before it, the last byte first, because it arrives last.
static void check(const char *what, int round, int bytes) {
    const int from = (me + pes - 1) % pes;
    for (int i = bytes; i-- > 0;)
        require(window[i] == (unsigned char)(from * 37 + round * 11 + i * 7 + (i >> 8)), what, i);
    shmem_barrier_all();
}

static void returns_at_once(void) {
    aos_event_t done;
    fill(1);
    const unsigned begin = timer(), call = put(0, LARGE, &done);
    require(aos_event_test(&done) == 0, "the put has ended when the call returns", 0);
    await(&done, "the put does not end", 0);
    const unsigned whole = begin - timer();
    require(call * 3 < whole, "cycles of the call", (int)call);
    shmem_barrier_all();
    check("a put", 1, LARGE);
    if (me == 0) { // only one, because a PE that stores data for another one cannot call meanwhile
        require(aos_get(data, &right, 0, LARGE, &done) == AOS_SUCCESS, "aos_get", 0);
        if (pes > 1) require(aos_event_test(&done) == 0, "the get has ended when the call returns", 0);
        await(&done, "the get does not end", 0);
        for (int i = LARGE; i-- > 0;) require(data[i] == (unsigned char)(11 + i * 7 + (i >> 8)), "a get", i);
        aos_event_t later;
        require(aos_get(data, &right, 0, SMALL, &done) == AOS_SUCCESS, "aos_get", 1);
        require(aos_get(data + SMALL, &right, SMALL, LARGE - SMALL, &later) == AOS_SUCCESS, "aos_get", 2);
        if (pes > 1)
            require(aos_event_test(&done) == 1, "a get that has ended seems under way when the next one has begun", 0);
        shmem_quiet();
        require(aos_event_test(&later) == 1, "quiet has not waited for a get", 0);
    }
    shmem_barrier_all();
}

// The first call starts a channel, and the next ones append to its chain without a wait. The chain then has no place.
static void many(void) {
    aos_event_t done[6], small;
    fill(2);
    (void)put(0, LARGE, &done[0]);
    for (int i = 1; i < 4; i++) {
        const unsigned call = put((unsigned)i % 3 * SMALL, SMALL, &done[i]);
        require(call < 700, "cycles of a call that appends", (int)call);
    }
    for (int i = 4; i < 6; i++) {
        (void)put((unsigned)i % 3 * SMALL, SMALL, &done[i]);
        require(aos_event_test(&done[i - 4]) == 1, "a call had a place, but this put has not ended", i - 4);
    }
    require(aos_event_test(&done[5]) == 0, "the last put has ended when the call returns", 0);
    (void)put(0, 8, &small);
    require(aos_event_test(&small) == 0, "a small put has ended before an earlier put", 0);
    for (int i = 5; i >= 0; i--) { // in order: when the last one has ended, all have
        if (i == 5) await(&done[i], "a put does not end", i);
        require(aos_event_test(&done[i]) == 1, "a put has not ended, although a later one has", i);
    }
    require(aos_event_test(&small) == 1, "a small put has not ended, although all earlier puts have", 0);
    shmem_barrier_all();
    check("many puts", 2, LARGE);
}

// Appends a put after each number of cycles, so at each point of the end of the put before.
static void append_at_each_point(void) {
    aos_event_t first, second;
    fill(3);
    (void)put(2 * SMALL, SMALL, &first);
    for (unsigned delay = 0; delay < 600; delay++) {
        if (delay % 4 == 0) shmemx_interrupt(next, 0);
        (void)put(0, SMALL, &first);
        const unsigned begin = timer();
        while (begin - timer() < delay) continue;
        (void)put(SMALL, SMALL, &second);
        await(&second, "a put was lost that was appended after cycles", (int)delay);
        require(aos_event_test(&first) == 1, "puts did not end in order", (int)delay);
    }
    shmem_barrier_all();
    check("puts one after the other", 3, 3 * SMALL);
}

// OpenSHMEM uses the channels too, and quiet waits for all.
static void with_openshmem(void) {
    aos_event_t done;
    fill(4);
    (void)put(2 * SMALL, SMALL, &done);
    shmem_quiet();
    require(aos_event_test(&done) == 1, "quiet has not waited for a put without OpenSHMEM's", 0);
    (void)put(0, SMALL, &done);
    shmem_putmem_nbi(window + SMALL, data + SMALL, SMALL, next);
    shmem_putmem_nbi(window + 2 * SMALL, data + 2 * SMALL, SMALL, next);
    shmem_quiet();
    require(aos_event_test(&done) == 1, "quiet has not waited for a put", 0);
    shmem_putmem_nbi(window, data, SMALL, next);
    shmem_putmem_nbi(window + SMALL, data + SMALL, SMALL, next);
    (void)put(2 * SMALL, SMALL, &done); // both channels are busy
    shmem_barrier_all();
    require(aos_event_test(&done) == 1, "a barrier has not waited for a put", 0);
    check("puts beside those of OpenSHMEM", 4, 3 * SMALL);
}

// Begins a put anywhere in the program, and waits for it.
static void handler(void) {
    aos_event_t done;
    const unsigned begin = timer();
    if (aos_put(data, &right, LARGE, SMALL, &done) != AOS_SUCCESS) shmem_global_exit(2);
    while (aos_event_test(&done) == 0)
        if (begin - timer() > 100000) shmem_global_exit(3);
    handled++;
}

int main(void) {
    shmem_init();
    timer_start();
    require(aos_init(0) == AOS_SUCCESS, "aos_init", 0);
    me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes;
    require(aos_segment_create(&own, (uint64_t)me, window, sizeof window, NULL) == AOS_SUCCESS, "create", 0);
    require(aos_segment_clone(&right, (uint64_t)next, 0) == AOS_SUCCESS, "clone", 0);
    shmemx_on_interrupt(0, handler);
    shmem_barrier_all();
    returns_at_once();
    many();
    append_at_each_point();
    with_openshmem();
    require(handled > 0, "handlers", handled);
    shmem_barrier_all();
    require(aos_finalize() == AOS_SUCCESS, "aos_finalize", 0);
    shmem_finalize();
    return 0;
}
