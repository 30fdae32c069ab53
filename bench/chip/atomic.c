// SPDX-License-Identifier: BSD-3-Clause
// Measures atomics of 32 bits in a tight loop. 1 to 16 PEs execute them at once, each on a word of the next PE. For
// comparison, the rows by_hand measure the shortest possible fetch-add on this chip, written in assembler. The
// fetch-add takes a lock by TESTSET (the chip's atomic test-and-set), loads, adds, stores, and releases the lock.
#include "chip.h"

#define CALLS 32
static int word __attribute__((aligned(8))), lock;

static void __attribute__((noinline)) fetch_add_by_hand(int *there, int *lock_there) {
    int old, flag, zero = 0;
    __asm__ volatile("1:\n\tmov %1, #1\n\ttestset %1, [%4, %2]\n\tsub %1, %1, #0\n\tbne 1b\n\t"
                     "ldr %0, [%3]\n\tadd %1, %0, #1\n\tstr %1, [%3]\n\tstr %2, [%4]"
                     : "=&r"(old), "=&r"(flag), "+r"(zero)
                     : "r"(there), "r"(lock_there)
                     : "memory", "cc");
    (void)old;
}

#define MEASURE(NAME, CALL)                                                                                            \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        uint32_t cycles = NOT_MEASURED;                                                                                \
        if (me < active) {                                                                                             \
            CALL; /* not measured; also computes what the compiler moves out of the loop, such as addresses */         \
            cycles = CYCLES(for (int i = 0; i < CALLS; i++) CALL);                                                     \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
        note(NAME, active, CALLS, cycles);                                                                             \
    } while (0)

int main(void) {
    shmem_init();
    timer_start();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    for (int active = 1; active <= pes; active++) {
        int next = me + 1 < (active > 1 ? active : 2) ? me + 1 : 0;
        int *there = shmem_ptr(&word, next), *lock_there = shmem_ptr(&lock, next);
        MEASURE("by_hand", fetch_add_by_hand(there, lock_there));
        MEASURE("fetch_add", (void)shmem_int_atomic_fetch_add(&word, 1, next));
        MEASURE("fetch_inc", (void)shmem_int_atomic_fetch_inc(&word, next));
        MEASURE("add", shmem_int_atomic_add(&word, 1, next));
        MEASURE("inc", shmem_int_atomic_inc(&word, next));
        MEASURE("fetch", (void)shmem_int_atomic_fetch(&word, next));
        MEASURE("set", shmem_int_atomic_set(&word, 1, next));
        MEASURE("swap", (void)shmem_int_atomic_swap(&word, 1, next));
        MEASURE("compare_swap", (void)shmem_int_atomic_compare_swap(&word, 1, 1, next));
    }
    tell();
    shmem_finalize();
    return 0;
}
