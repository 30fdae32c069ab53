// SPDX-License-Identifier: BSD-3-Clause
// A token goes round: each PE waits until it comes, adds its own number, and hands it to the next one. The token's
// value and the news that it is there are one put-with-signal.
#include <shmem.h>
#include <stdio.h>

enum { rounds = 3 };

static long token;   // symmetric
static uint64_t lap; // symmetric: the lap that the token is in, written with it

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
