// SPDX-License-Identifier: BSD-3-Clause
// A function that is run here for another PE begins a get that is completed later, anywhere in the program's own gets, also while
// one of these is being asked for: every get brings its data. 64 bytes: the smallest get for which an owner sends the data itself.
#include "check.h"

#define CALLS 150
#define WORDS 16

static int block[WORDS], begun[CALLS][WORDS], owners[CALLS], mine[WORDS];
static volatile int calls;

static int begin_get(int *p, int from) {
    (void)p;
    owners[calls] = from;
    shmem_getmem_nbi(begun[calls], block, sizeof block, from);
    return ++calls;
}
RPC(begin_get)

static int content(int pe, int i) {
    return 1000 * (pe + 1) + i;
}

static void get_and_check(int from) {
    for (int i = 0; i < WORDS; i++) mine[i] = 0;
    shmem_getmem(mine, block, sizeof block, from);
    for (int i = 0; i < WORDS; i++) CHECK(mine[i] == content(from, i));
}

int main(void) {
    test_begin();
    for (int i = 0; i < WORDS; i++) block[i] = content(me, i);
    shmem_barrier_all();
    if (me % 2) // calls the one before, whose function gets from any other
        for (int i = 0; i < CALLS; i++)
            CHECK(begin_get_rpc(shmem_ptr(block, me - 1), (me - 1 + 1 + i % (pes - 1)) % pes) == i + 1);
    else if (me + 1 < pes)
        for (int round = 0; calls < CALLS; round++) {
            for (volatile int i = 0; i < round % 5; i++) continue;
            get_and_check((me + 1 + round % (pes - 1)) % pes);
        }
    shmem_barrier_all(); // and quiet
    for (int k = 0; k < calls; k++)
        for (int i = 0; i < WORDS; i++) CHECK(begun[k][i] == content(owners[k], i));
    return test_end();
}
