// SPDX-License-Identifier: BSD-3-Clause
// A barrier completes while a PE that waits in it runs another's function; nobody is taken for one that has come to the next.
#include "check.h"

#define ROUNDS 60

static int marks[16], runs;

static void slow(int *count, int turns) {
    for (volatile int i = 0; i < turns; i++) continue;
    *localize(count) += 1;
}
RPC(slow)

int main(void) {
    test_begin();
    shmem_barrier_all();
    int expected = 0;
    for (int round = 1; round <= ROUNDS; round++) {
        for (int pe = 0; pe < pes; pe++) shmem_int_p(&marks[me], round, pe);
        int caller = round % pes, called = (caller + 1 + round / pes) % pes;
        // The others are there already, more or less; this one comes last.
        for (volatile int i = 0; me == caller && i < 50; i++) continue;
        if (me == caller) CHECK(shmemx_rpc_post(slow, shmem_ptr(&runs, called), 7 * round) >= 0);
        expected += me == called;
        shmem_barrier_all();
        for (int pe = 0; pe < pes; pe++) CHECK(marks[pe] == round || marks[pe] == round + 1);
    }
    shmem_barrier_all();
    CHECK(runs == expected);
    return test_end();
}
