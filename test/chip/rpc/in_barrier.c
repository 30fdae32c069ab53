// SPDX-License-Identifier: BSD-3-Clause
// A PE that waits in the chip's barrier runs a call, and the called function is interrupted many times. The function must find its
// flags unchanged: its loops run as often as they should.
#include "check.h"

#define TURNS 20000
#define BYTES 128

static int block[BYTES / sizeof(int)];
static volatile int finished;

// Each turn has a comparison of integers, one of floating-point numbers and an addition with carry.
static unsigned long long count(int *p, int turns, float limit) {
    (void)p;
    unsigned long long sum = 0;
    float step = 0;
    for (int i = 0; i < turns; i++) {
        if (i & 1) sum += 0xffffffffu;
        step += 1;
        if (step < limit) sum++;
    }
    return sum;
}
RPC(count)

int main(void) {
    test_begin();
    for (unsigned i = 0; i < TEST_COUNT(block); i++) block[i] = 10 * me + (int)i;
    shmem_barrier_all();
    if (me == 0 && pes > 1) {
        unsigned long long sum = count_rpc(shmem_ptr(block, 1), TURNS, TURNS / 2);
        unsigned long long right = TURNS / 2 * 0xffffffffull + TURNS / 2 - 1;
        CHECK(shmemx_rpc_status() == SHMEMX_RPC_SERVED);
        CHECK(sum == right);
        if (pes > 2) shmem_int_p((int *)&finished, 1, 2);
    }
    if (me == 2) {
        int copy[TEST_COUNT(block)];
        while (!finished) {
            shmem_getmem(copy, block, sizeof copy, 1);
            for (unsigned i = 0; i < TEST_COUNT(block); i++) CHECK(copy[i] == 10 + (int)i);
        }
    }
    shmem_barrier_all(); // the other PEs wait here, so that PE 1 has executed WAND, if the job has all cores
    return test_end();
}
