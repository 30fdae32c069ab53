// SPDX-License-Identifier: BSD-3-Clause
// The cheapest lock there is, uncontended, on a word of shared memory: one locked exchange to take it, one store to
// leave.
#include "limits.h"

static uint64_t *word;

static void lock(const struct limit *limit, long count) {
    (void)limit;
    for (long i = 0; i < count; i++) {
        while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE)) {
        }
        __atomic_store_n(word, 0, __ATOMIC_RELEASE);
    }
}

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 200);
    limit_pin(0);
    word = limit_shared(4096);
    *word = 0;
    static struct limit limits[] = {{.name = "lock", .parameter = 8, .loop = lock}};
    limit_report(limits, 1, batches, NULL);
    return 0;
}
