// SPDX-License-Identifier: BSD-3-Clause
// Measures locked instructions on an uncontended word of shared memory. The times of these instructions are the limit
// of OpenSHMEM's atomics: no library can be faster. In a figure with the suffix `_look` a load of another cache line
// follows the instruction. A library needs such a load after an atomic to find out if a waiter sleeps (limit_look in
// limits.h).
#include "limits.h"

static void *memory;

#define LOOK limit_look((const unsigned char *)memory + 4096)
#define LOOP(NAME, BITS, OPERATION)                                                                                    \
    static void NAME##_##BITS(const struct limit *limit, long count) {                                                 \
        (void)limit;                                                                                                   \
        uint##BITS##_t *word = memory, seen = *word, sum = 0;                                                          \
        for (long i = 0; i < count; i++) {                                                                             \
            OPERATION;                                                                                                 \
        }                                                                                                              \
        *(volatile uint##BITS##_t *)word = sum + seen;                                                                 \
    }
// `seen` is always equal to the word, so every compare-swap succeeds.
#define LOOPS(BITS)                                                                                                    \
    LOOP(fetch_add, BITS, sum += __atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST))                                        \
    LOOP(swap, BITS, sum += __atomic_exchange_n(word, (uint##BITS##_t)i, __ATOMIC_SEQ_CST))                            \
    LOOP(compare_swap, BITS,                                                                                           \
         sum += __atomic_compare_exchange_n(word, &seen, seen, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
LOOPS(32)
LOOPS(64)
LOOP(fetch_add_look, 64, sum += __atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST); LOOK)
LOOP(add_look, 64, __atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST); LOOK)
LOOP(swap_look, 64, sum += __atomic_exchange_n(word, (uint64_t)i, __ATOMIC_SEQ_CST); LOOK)
LOOP(compare_swap_look, 64,
     sum += __atomic_compare_exchange_n(word, &seen, seen, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
     LOOK)

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 200);
    limit_pin(0);
    memory = limit_shared(8192);
    memset(memory, 0, 8192);
    static struct limit limits[] = {{.name = "fetch_add", .parameter = 8, .loop = fetch_add_64},
                                    {.name = "compare_swap", .parameter = 8, .loop = compare_swap_64},
                                    {.name = "swap", .parameter = 8, .loop = swap_64},
                                    {.name = "fetch_add", .parameter = 4, .loop = fetch_add_32},
                                    {.name = "compare_swap", .parameter = 4, .loop = compare_swap_32},
                                    {.name = "swap", .parameter = 4, .loop = swap_32},
                                    {.name = "fetch_add_look", .parameter = 8, .loop = fetch_add_look_64},
                                    {.name = "add_look", .parameter = 8, .loop = add_look_64},
                                    {.name = "swap_look", .parameter = 8, .loop = swap_look_64},
                                    {.name = "compare_swap_look", .parameter = 8, .loop = compare_swap_look_64}};
    limit_report(limits, sizeof limits / sizeof *limits, batches, NULL);
    return 0;
}
