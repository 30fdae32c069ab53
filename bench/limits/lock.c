// SPDX-License-Identifier: BSD-3-Clause
// The cheapest locks there are, uncontended, on a word of shared memory. `lock`: one locked exchange to take it, one store
// to leave. `lock_fenced`: locks whose release is a full fence too, as shmem_clear_lock's has to be, because it is a quiet;
// on processors of this kind that takes a second locked instruction.
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

static void loop_exchange(const struct limit *limit, long count) {
    (void)limit;
    for (long i = 0; i < count; i++) {
        while (__atomic_exchange_n(word, 1, __ATOMIC_SEQ_CST)) {
        }
        __atomic_exchange_n(word, 0, __ATOMIC_SEQ_CST);
    }
}

static void loop_compare_swap(const struct limit *limit, long count) {
    (void)limit;
    for (long i = 0; i < count; i++) {
        uint32_t expected = 0;
        while (!__atomic_compare_exchange_n(word, &expected, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            expected = 0;
        expected = 1;
        __atomic_compare_exchange_n(word, &expected, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
}

// Upper half: ticket that comes next; lower half: ticket that is served. First come, first served, as OpenSHMEM asks.
static void loop_ticket(const struct limit *limit, long count) {
    (void)limit;
    const uint32_t ticket = 0x10000, mask = 0xffff;
    for (long i = 0; i < count; i++) {
        uint32_t mine = __atomic_fetch_add(word, ticket, __ATOMIC_SEQ_CST) >> 16;
        while ((__atomic_load_n(word, __ATOMIC_RELAXED) & mask) != mine) {
        }
        __atomic_fetch_add(word, mine == mask ? 1 - ticket : 1, __ATOMIC_SEQ_CST);
    }
    *word = 0;
}

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 200);
    limit_pin(0);
    word = limit_shared(4096);
    *word = 0;
    static struct limit plain[] = {{.name = "lock", .parameter = 8, .loop = loop_store}};
    static struct limit fenced[] = {{.name = "lock_fenced_exchange", .parameter = 8, .loop = loop_exchange},
                                    {.name = "lock_fenced_compare_swap", .parameter = 8, .loop = loop_compare_swap},
                                    {.name = "lock_fenced_ticket", .parameter = 8, .loop = loop_ticket}};
    limit_report(plain, 1, batches, NULL);
    limit_report(fenced, 3, batches, "lock_fenced");
    return 0;
}
