// SPDX-License-Identifier: BSD-3-Clause
// Measures a store to shared memory followed by a full fence, for each instruction that can be this fence. The shortest
// time is the limit of shmem_p followed by shmem_quiet: no library can be faster.
#include "limits.h"

static volatile int64_t *word;

#define STORE_AND(NAME, FENCE)                                                                                         \
    static void NAME(const struct limit *limit, long count) {                                                          \
        (void)limit;                                                                                                   \
        for (long i = 0; i < count; i++) {                                                                             \
            *word = i;                                                                                                 \
            FENCE;                                                                                                     \
        }                                                                                                              \
    }

#if defined(__x86_64__)
STORE_AND(store_mfence, __asm__ volatile("mfence" ::: "memory"))
STORE_AND(store_lock_or, __asm__ volatile("lock orl $0, (%%rsp)" ::: "memory", "cc"))
STORE_AND(store_lock_or_red_zone, limit_full_fence())
#endif
STORE_AND(store_c11_fence, __atomic_thread_fence(__ATOMIC_SEQ_CST))

static void exchange(const struct limit *limit, long count) { // an exchange is both the store and the fence
    (void)limit;
    for (long i = 0; i < count; i++) __atomic_exchange_n(word, i, __ATOMIC_SEQ_CST);
}

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 200);
    limit_pin(0);
    word = limit_shared(4096);
    static struct limit limits[] = {
        {.name = "store_c11_fence", .parameter = 8, .loop = store_c11_fence},
        {.name = "exchange", .parameter = 8, .loop = exchange},
#if defined(__x86_64__)
        {.name = "store_mfence", .parameter = 8, .loop = store_mfence},
        {.name = "store_lock_or", .parameter = 8, .loop = store_lock_or},
        {.name = "store_lock_or_red_zone", .parameter = 8, .loop = store_lock_or_red_zone},
#endif
    };
    limit_report(limits, sizeof limits / sizeof *limits, batches, "store_fence");
    return 0;
}
