// SPDX-License-Identifier: BSD-3-Clause
// A token goes round all PEs. Each PE waits for the token, adds its own number to it, and passes it to the next PE. One
// put-with-signal transfers the token's value and the signal that it has arrived.
#include <shmem.h>
#include <stdio.h>

enum { rounds = 3 };

static long token;   // symmetric
static uint64_t lap; // symmetric: number of the token's lap, written together with the token

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes;
    for (uint64_t round = 1; round <= rounds; round++) {
        if (me != 0 || round > 1) shmem_signal_wait_until(&lap, SHMEM_CMP_GE, me == 0 ? round - 1 : round);
        const long value = token + me;
        shmem_long_put_signal(&token, &value, 1, &lap, round, SHMEM_SIGNAL_SET, next);
    }
    int right = 1;
    if (me == 0) {
        shmem_signal_wait_until(&lap, SHMEM_CMP_GE, rounds);
        const long expected = (long)rounds * pes * (pes - 1) / 2;
        right = token == expected;
        printf("ring: after %d rounds of %d PEs the token is %ld, %s\n", rounds, pes, token, right ? "right" : "WRONG");
    }
    shmem_finalize();
    return right ? 0 : 1;
}
