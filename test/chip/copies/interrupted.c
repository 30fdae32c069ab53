// SPDX-License-Identifier: BSD-3-Clause
// Arrived means arrived also where a handler puts in the middle of a quiet, and is quiet itself or leaves that to the program;
// both put by the core and by DMA channels. PE 0 puts to the last PE and tells the first of the last row, which tells
// that one, while the rows above fill the network towards it. Then it has what the program has put, and what handlers
// had when the program became quiet. Where the handler comes changes from round to round. Needs rows of 4, or of 8.
#include <shmem.h>
#include <stdio.h>

#define WORDS 200 // a channel carries them for some hundred cycles
#define ROUNDS 200
#define KEPT 4 // the handler's last puts; it is quiet in two of three

static unsigned own[WORDS], data[WORDS];
static unsigned sources[KEPT][WORDS], received[KEPT][WORDS];
static unsigned noise[64][8];
static unsigned told[2]; // the round, and how many runs of the handler
static volatile unsigned runs;

static void handler(void) {
    unsigned run = runs + 1;
    sources[run % KEPT][WORDS - 1] = run;
    size_t bytes = run & 1 ? 2 * sizeof(unsigned) : sizeof sources[0];
    unsigned *end = received[run % KEPT] + WORDS;
    shmem_putmem_nbi((char *)end - bytes, (char *)(sources[run % KEPT] + WORDS) - bytes, bytes, shmem_n_pes() - 1);
    if (run % 3 != 0) shmem_quiet();
    runs = run;
}

static void wait_a_little(unsigned steps) {
    for (volatile unsigned left = steps; left; left--) continue;
}

static void put_and_tell(unsigned round, int far, int teller) {
    own[0] = own[WORDS - 1] = round;
    if (round & 1) shmem_putmem_nbi(data, own, sizeof data, far);
    else shmem_putmem(data + WORDS - 4, own + WORDS - 4, 4 * sizeof own[0], far);
    wait_a_little(round % 17);
    unsigned before = runs;
    shmem_quiet();
    shmem_uint_p(&told[1], before, teller);
    shmem_uint_p(&told[0], round, teller);
}

static int arrived(unsigned round, unsigned count) {
    int all = data[WORDS - 1] == round;
    for (unsigned run = count > 3 ? count - 2 : 1; run <= count; run++) all &= received[run % KEPT][WORDS - 1] >= run;
    return all;
}

int main(void) {
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    int far = pes - 1, teller = pes - (pes > 16 ? 8 : 4);
    int failed = 0;
    if (me == 0) skerry_on_interrupt(3, handler);
    shmem_barrier_all();
    for (unsigned round = 1; round <= ROUNDS; round++) {
        if (me == 0) put_and_tell(round, far, teller);
        if (me == teller || me == far) shmem_uint_wait_until(&told[0], SHMEM_CMP_EQ, round);
        if (me == teller) {
            shmem_uint_p(&told[1], told[1], far);
            shmem_uint_p(&told[0], round, far);
        }
        if (me == 1) {
            wait_a_little(round % 23);
            skerry_interrupt(0, 3);
        }
        if (me > 1 && me < teller)
            for (int i = 0; i < 16; i++) shmem_putmem(noise[me], own, sizeof noise[me], far);
        if (me == far && !arrived(round, told[1]) && !failed++) printf("round %u: not all had arrived\n", round);
        shmem_barrier_all();
    }
    shmem_finalize();
    return failed != 0;
}
