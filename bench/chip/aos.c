// SPDX-License-Identifier: BSD-3-Clause
// Measures the routines of aos.h on a chip. PE 0 accesses a segment (memory that a PE has published) of its neighbour,
// PE 1. The other PEs wait at a barrier. For comparison, measures the same operation by OpenSHMEM (names with _shmem)
// and by hand (names with _hand). A hand-written atomic takes a lock by TESTSET, the chip's atomic instruction. A
// hand-written message is stored to its place without a test, because this place is known to be free.
#include "chip.h"

#include <aos.h>

#define BYTES_MAX 1024
#define MESSAGES 4

static char local[BYTES_MAX] __attribute__((aligned(8))), there[BYTES_MAX] __attribute__((aligned(8)));
static char queue_memory[256] __attribute__((aligned(8)));
static int64_t word;
static uint32_t hand_lock;
static aos_segment_t segment, word_segment;
static aos_queue_t inbox, outbox;
static int me, next, second, outcomes; // second: PE 1, or PE 0 if there is no other PE

static const uint16_t sizes[] = {8, 16, 32, 64, 128, 256, 512, 1024};

#define MEASURE_BY(PE, NAME, BYTES, STATEMENT)                                                                         \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        uint32_t cycles = NOT_MEASURED;                                                                                \
        if (me == (PE)) cycles = CYCLES(STATEMENT);                                                                    \
        shmem_barrier_all();                                                                                           \
        note(NAME, 1, BYTES, cycles);                                                                                  \
    } while (0)
#define MEASURE(NAME, BYTES, STATEMENT) MEASURE_BY(0, NAME, BYTES, STATEMENT)

static void must(int outcome) {
    if (outcome) shmem_global_exit(4);
}

static void measure_data(void) {
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t bytes = sizes[i];
        MEASURE("aos_put", bytes, outcomes |= aos_put(local, &segment, 0, bytes, NULL));
        MEASURE("aos_put_shmem", bytes, shmem_putmem(there, local, bytes, next));
        MEASURE("aos_put_fence", bytes, (aos_put(local, &segment, 0, bytes, NULL), aos_fence(&segment, NULL)));
        MEASURE("aos_put_fence_shmem", bytes, (shmem_putmem(there, local, bytes, next), shmem_quiet()));
        MEASURE("aos_get", bytes, outcomes |= aos_get(local, &segment, 0, bytes, NULL));
        MEASURE("aos_get_shmem", bytes, shmem_getmem(local, there, bytes, next));
    }
}

static void __attribute__((noinline)) add_by_hand(volatile int64_t *far_word, volatile uint32_t *lock) {
    uint32_t taken, zero = 0;
    do {
        taken = 1;
        __asm__ volatile("testset %0, [%1, %2]" : "+r"(taken) : "r"(lock), "r"(zero) : "memory", "cc");
    } while (taken);
    *far_word += 1;
    *lock = 0;
}

static void measure_words(void) {
    int64_t before;
    int64_t *far_word = shmem_ptr(&word, next);
    uint32_t *far_lock = shmem_ptr(&hand_lock, next);
    MEASURE("aos_postadd", 8, outcomes |= aos_postadd(&word_segment, 0, 1));
    MEASURE("aos_postadd_shmem", 8, shmem_longlong_atomic_add((long long *)&word, 1, next));
    MEASURE("aos_postadd_hand", 8, add_by_hand(far_word, far_lock));
    MEASURE("aos_fetchadd", 8, outcomes |= aos_fetchadd(&word_segment, 0, 1, &before, NULL));
    MEASURE("aos_fetchadd_shmem", 8, before = shmem_longlong_atomic_fetch_add((long long *)&word, 1, next));
    MEASURE("aos_fetchadd_hand", 8, add_by_hand(far_word, far_lock));
    MEASURE("aos_poke", 8, outcomes |= aos_poke(&word_segment, 0, 1));
    MEASURE("aos_poke_shmem", 8, shmem_longlong_atomic_set((long long *)&word, 1, next));
    MEASURE("aos_peek", 8, outcomes |= aos_peek(&word_segment, 0, &before, NULL));
    MEASURE("aos_peek_shmem", 8, before = shmem_longlong_atomic_fetch((long long *)&word, next));
    (void)before;
}

static void __attribute__((noinline)) send_by_hand(const char *message, uint32_t bytes, uint32_t number) {
    shmem_putmem(there, message, bytes, next);
    *(volatile uint32_t *)shmem_ptr(there + 32, next) = number;
}

static void __attribute__((noinline)) receive_by_hand(char *message, uint32_t bytes, uint32_t number) {
    while (*(volatile uint32_t *)(there + 32) != number) continue;
    skerry_copy(message, there, bytes);
}

static void measure_messages(void) {
    aos_message_t message;
    for (uint32_t bytes = 8; bytes <= 32; bytes *= 2) {
        MEASURE("aos_enqueue", bytes, outcomes |= aos_enqueue(&outbox, local, bytes));
        MEASURE_BY(second, "aos_dequeue", bytes, outcomes |= aos_dequeue(&inbox, local, BYTES_MAX, NULL));
        MEASURE("aos_enqueue_hand", bytes, send_by_hand(local, bytes, bytes));
        MEASURE_BY(second, "aos_dequeue_hand", bytes, receive_by_hand(local, bytes, bytes));
        if (me == 0) must(aos_enqueue(&outbox, local, bytes));
        MEASURE_BY(second, "aos_dequeue_begin_end", bytes,
                   outcomes |= aos_dequeue_begin(&inbox, &message) | aos_dequeue_end(&inbox, &message));
    }
}

static void make_segments(void) {
    aos_segment_t own, own_word;
    must(aos_init(0));
    must(aos_segment_create(&own, (uint64_t)me, there, BYTES_MAX, NULL));
    must(aos_segment_create(&own_word, 100 + (uint64_t)me, &word, sizeof word, NULL));
    must(aos_queue_create(&inbox, 200 + (uint64_t)me, 32, MESSAGES, queue_memory, NULL));
    must(aos_segment_clone(&segment, (uint64_t)next, 0));
    must(aos_segment_clone(&word_segment, 100 + (uint64_t)next, 0));
    must(aos_queue_clone(&outbox, 200 + (uint64_t)next, 0));
}

int main(void) {
    shmem_init();
    timer_start();
    me = shmem_my_pe();
    next = me + 1 < shmem_n_pes() ? me + 1 : 0;
    second = shmem_n_pes() > 1;
    make_segments();
    measure_data();
    measure_words();
    measure_messages();
    must(outcomes);
    must(aos_finalize());
    tell();
    shmem_finalize();
    return 0;
}
