// SPDX-License-Identifier: BSD-3-Clause
// A PE is called while it waits in a barrier, in wait_until, computes, holds interrupts off, and sleeps in a get; it finds
// what it was doing as it was.
#include "check.h"

#define CALLS 20

static int data, counts[16], done[16], flag, block[64], copy[64];

static int add(int *p, int who, int value) {
    p[who] += value;
    return p[who];
}
RPC(add)

static void call_all(int pe) {
    for (int i = 0; i < CALLS; i++) {
        int result = add_rpc(shmem_ptr(counts, pe), me, 1);
        CHECK(result % CALLS == (i + 1) % CALLS);
    }
}

// The compiler's multiplications switch the FPU's mode, its additions of floats switch it back.
static __attribute__((noinline)) unsigned compute(unsigned rounds) {
    volatile unsigned factor = 1664525;
    volatile float step = 0.5f;
    unsigned value = 1;
    float sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        value = value * factor + 1013904223u;
        sum += step;
        value ^= (unsigned)(int)sum;
    }
    return value;
}

int main(void) {
    test_begin();
    for (int i = 0; i < 64; i++) block[i] = 64 * me + i;
    unsigned expected = compute(500);
    shmem_barrier_all();

    for (int phase = 0; phase < 5; phase++)
        for (int pe = 0; pe < pes; pe++) {
            shmem_barrier_all();
            if (pe != me) {
                call_all(pe);
                shmem_int_p(&done[me], 1, pe);
                if (phase == 1 && me == (pe + 1) % pes) shmem_int_p(&flag, 1, pe);
            } else if (phase == 1 && pes > 1) {
                shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
                flag = 0;
            } else if (phase == 2) {
                CHECK(compute(500) == expected);
            } else if (phase == 3) {
                unsigned mask, all = 0x3ff;
                __asm__ volatile("movfs %0, imask\n\tmovts imask, %1" : "=&r"(mask) : "r"(all) : "memory");
                CHECK(compute(500) == expected);
                if (pes > 1) CHECK(add_rpc(shmem_ptr(&data, (me + 1) % pes), 0, 0) == 0); // not to be waited for
                __asm__ volatile("movts imask, %0" : : "r"(mask) : "memory");
            } else if (phase == 4) {
                int from = (me + 1) % pes;
                for (int i = 0; i < 10; i++) {
                    shmem_getmem(copy, block, sizeof copy, from);
                    for (int k = 0; k < 64; k++) CHECK(copy[k] == 64 * from + k);
                }
            }
            shmem_barrier_all();
            for (int caller = 0; caller < pes && pe == me; caller++) {
                CHECK(counts[caller] == (caller == me ? 0 : CALLS));
                CHECK(done[caller] == (caller != me));
                counts[caller] = done[caller] = 0;
            }
        }
    return test_end();
}
