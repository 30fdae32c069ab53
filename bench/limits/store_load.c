// SPDX-License-Identifier: BSD-3-Clause
// Stores or loads one aligned word of shared memory in a loop. The measured times are the limits of shmem_p and
// shmem_g: no library can be faster.
#include "limits.h"

static volatile int64_t *word;

static void store(const struct limit *limit, long count) {
    (void)limit;
    for (long i = 0; i < count; i++) *word = i;
}

static void load(const struct limit *limit, long count) {
    (void)limit;
    int64_t sum = 0;
    for (long i = 0; i < count; i++) sum += *word;
    *word = sum;
}

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 200);
    limit_pin(0);
    word = limit_shared(4096);
    static struct limit limits[] = {{.name = "store", .parameter = 8, .loop = store},
                                    {.name = "load", .parameter = 8, .loop = load}};
    limit_report(limits, 2, batches, NULL);
    return 0;
}
