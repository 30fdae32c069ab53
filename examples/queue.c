// SPDX-License-Identifier: BSD-3-Clause
// Distributes work whose pieces take different times: a PE that is free takes the next piece by a fetch-and-add on PE
// 0. The work: an even n becomes n / 2, an odd n becomes 3 n + 1. The program finds the n below a million that takes
// the most steps to reach 1.
#include <shmem.h>
#include <stdio.h>

enum { limit = 1000000, piece = 5000 };

static long next;                    // symmetric; on PE 0: the first number that no PE has taken
static long longest, longest_of_all; // symmetric: steps * limit + number, so that one reduction finds both
static long pieces, most_pieces;     // symmetric

static long steps_to_one(long number) {
    long steps = 0;
    for (; number != 1; steps++) number = number % 2 == 0 ? number / 2 : 3 * number + 1;
    return steps;
}

int main(void) {
    shmem_init();
    for (;;) {
        const long first = shmem_long_atomic_fetch_add(&next, piece, 0);
        if (first >= limit) break;
        for (long number = first; number < first + piece && number < limit; number++) {
            const long key = number < 1 ? 0 : steps_to_one(number) * limit + number;
            if (key > longest) longest = key;
        }
        pieces++;
    }
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, &longest_of_all, &longest, 1);
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, &most_pieces, &pieces, 1);
    const long number = longest_of_all % limit, steps = longest_of_all / limit;
    const int right = number == 837799 && steps == 524;
    if (shmem_my_pe() == 0)
        printf("queue: below %d, %ld takes the most steps, %ld; of %d pieces a PE took at most %ld; %s\n", limit,
               number, steps, limit / piece, most_pieces, right ? "right" : "WRONG");
    shmem_finalize();
    return right ? 0 : 1;
}
