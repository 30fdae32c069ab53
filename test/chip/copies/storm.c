// SPDX-License-Identifier: BSD-3-Clause
// All at once: every PE gets from PEs at random, which get from others and from it, while puts completed later keep the DMA
// channels at work, atomics on one PE's word take its lock and numbered interrupts arrive. Nothing waits for ever, no byte is
// wrong, no count is short, no signal is lost.
#include <shmem.h>
#include <stdio.h>

#define ROUNDS 60
#define WORDS 96

static unsigned source[WORDS], dest[WORDS], inbox[2][WORDS];
static unsigned total;
static volatile unsigned raises[16], seen[16]; // raises[i] is written by PE i; the handler takes it over

static void handler(void) {
    for (int i = 0; i < 16; i++) seen[i] = raises[i];
}

static unsigned word_of(int pe, int i) {
    return (unsigned)(pe << 16) + (unsigned)i;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    int pes = shmem_n_pes();
    int failed = 0;
    unsigned state = 77u + (unsigned)me;
    int target = me, right = me + 1 < pes ? me + 1 : 0;
    int left = me > 0 ? me - 1 : pes - 1;
    skerry_on_interrupt(3, handler);
    for (int i = 0; i < WORDS; i++) source[i] = word_of(me, i);
    shmem_barrier_all();
    for (int round = 0; round < ROUNDS && !failed; round++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        for (unsigned steps = state & 7; steps; steps--) target = target + 1 < pes ? target + 1 : 0;
        int first = (int)(state >> 8 & 7);
        int count = (int)(state >> 11 & 63) + 17;
        shmem_putmem_nbi(inbox[round & 1], source, sizeof source, right);
        shmem_uint_get(dest, source + first, (size_t)count, target);
        for (int i = 0; i < count; i++)
            if (dest[i] != word_of(target, first + i)) failed = 1;
        if (failed) printf("PE %d: round %d: got wrong data from PE %d\n", me, round, target);
        shmem_uint_atomic_add(&total, 1, 0);
        shmem_uint_p((unsigned *)&raises[me], (unsigned)round + 1, right);
        skerry_interrupt(right, 3);
        shmem_barrier_all();
        while (seen[left] <= (unsigned)round) continue;
        for (int i = 0; i < WORDS; i++)
            if (inbox[round & 1][i] != word_of(left, i)) failed = 1;
        if (failed) printf("PE %d: round %d: put_nbi has not arrived with the barrier\n", me, round);
    }
    shmem_barrier_all();
    if (me == 0 && total != (unsigned)(ROUNDS * pes)) {
        printf("%u additions of %d\n", total, ROUNDS * pes);
        failed = 1;
    }
    shmem_finalize();
    return failed;
}
