// SPDX-License-Identifier: BSD-3-Clause
// Measures the cheapest locks on a word of shared memory, without contention. `lock` is taken by one locked exchange
// and released by one store. `lock_fenced` is the best of three locks whose release is also a full fence. The release
// of shmem_clear_lock must be such a fence, because shmem_clear_lock is also a quiet. On x86-64 such a release needs a
// second locked instruction. `lock_fenced_look` is the best of these three locks with a load of another cache line
// (limit_look in limits.h) after the release.
#include "limits.h"

static uint32_t *word;

static void loop_store(const struct limit *limit, long count) {
    (void)limit;
    for (long i = 0; i < count; i++) {
        while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE)) {
        }
        __atomic_store_n(word, 0, __ATOMIC_RELEASE);
    }
    *word = 0;
}

static inline __attribute__((always_inline)) void lock_by_exchange(long count, bool look) {
    for (long i = 0; i < count; i++) {
        while (__atomic_exchange_n(word, 1, __ATOMIC_SEQ_CST)) {
        }
        __atomic_exchange_n(word, 0, __ATOMIC_SEQ_CST);
        if (look) limit_look((const unsigned char *)word + 4096);
    }
}

static inline __attribute__((always_inline)) void lock_by_compare_swap(long count, bool look) {
    for (long i = 0; i < count; i++) {
        uint32_t expected = 0;
        while (!__atomic_compare_exchange_n(word, &expected, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            expected = 0;
        expected = 1;
        __atomic_compare_exchange_n(word, &expected, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        if (look) limit_look((const unsigned char *)word + 4096);
    }
}

// Takes and releases a ticket lock `count` times. The upper half of the word is the next ticket, the lower half is the
// ticket whose owner holds the lock. The lock goes to the callers in the order of their calls, as OpenSHMEM requires.
static inline __attribute__((always_inline)) void lock_by_ticket(long count, bool look) {
    const uint32_t ticket = 0x10000, mask = 0xffff;
    for (long i = 0; i < count; i++) {
        uint32_t mine = __atomic_fetch_add(word, ticket, __ATOMIC_SEQ_CST) >> 16;
        while ((__atomic_load_n(word, __ATOMIC_RELAXED) & mask) != mine) {
        }
        __atomic_fetch_add(word, mine == mask ? 1 - ticket : 1, __ATOMIC_SEQ_CST);
        if (look) limit_look((const unsigned char *)word + 4096);
    }
    *word = 0;
}

#define LOOPS(DESIGN)                                                                                                  \
    static void loop_##DESIGN(const struct limit *limit, long count) {                                                 \
        (void)limit;                                                                                                   \
        lock_by_##DESIGN(count, false);                                                                                \
    }                                                                                                                  \
    static void loop_##DESIGN##_look(const struct limit *limit, long count) {                                          \
        (void)limit;                                                                                                   \
        lock_by_##DESIGN(count, true);                                                                                 \
    }
LOOPS(exchange)
LOOPS(compare_swap)
LOOPS(ticket)

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 200);
    limit_pin(0);
    word = limit_shared(8192);
    memset(word, 0, 8192);
    static struct limit plain[] = {{.name = "lock", .parameter = 8, .loop = loop_store}};
    static struct limit fenced[] = {{.name = "lock_fenced_exchange", .parameter = 8, .loop = loop_exchange},
                                    {.name = "lock_fenced_compare_swap", .parameter = 8, .loop = loop_compare_swap},
                                    {.name = "lock_fenced_ticket", .parameter = 8, .loop = loop_ticket}};
    static struct limit looking[] = {
        {.name = "lock_fenced_look_exchange", .parameter = 8, .loop = loop_exchange_look},
        {.name = "lock_fenced_look_compare_swap", .parameter = 8, .loop = loop_compare_swap_look},
        {.name = "lock_fenced_look_ticket", .parameter = 8, .loop = loop_ticket_look}};
    limit_report(plain, 1, batches, NULL);
    limit_report(fenced, 3, batches, "lock_fenced");
    limit_report(looking, 3, batches, "lock_fenced_look");
    return 0;
}
