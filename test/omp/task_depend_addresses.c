// SPDX-License-Identifier: BSD-3-Clause
// Tasks that depend on many addresses: each finds the one before it at its own, and memory and time grow with their number only.
// threads: 1 2 3 8
#include "test.h"

#define ADDRESSES 50000
#define ROUNDS 3

static int words[ADDRESSES];

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < ADDRESSES; i++) {
#pragma omp task depend(inout : words[i]) firstprivate(round, i)
            {
                REQUIRE(words[i] == round, "address %d: %d instead of %d", i, words[i], round);
                words[i] = round + 1;
            }
        }
    for (int i = 0; i < ADDRESSES; i++) REQUIRE(words[i] == ROUNDS, "address %d: %d in the end", i, words[i]);
    return 0;
}
