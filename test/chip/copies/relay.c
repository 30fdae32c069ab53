// SPDX-License-Identifier: BSD-3-Clause
// Arrived means arrived: PE 0 puts far away, is quiet, and tells a near PE, which tells the far one; then the data is there,
// though all others fill the network towards it. By the core, by a DMA channel and by both.
#include <shmem.h>
#include <stdio.h>

#define WORDS 64
#define ROUNDS 40

static unsigned source[WORDS], data[WORDS], noise[16][8];
static unsigned flag;

int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    int far = shmem_n_pes() - 1;
    int near = far > 1 ? 1 : 0;
    int failed = 0;
    for (unsigned round = 1; round <= ROUNDS; round++) {
        if (me == 0) {
            for (int i = 0; i < WORDS; i++) source[i] = round + (unsigned)i;
            if (round & 1) shmem_putmem_nbi(data, source, sizeof data / 2, far);
            else shmem_putmem(data, source, sizeof data / 2, far);
            if (round & 2) shmem_putmem_nbi(data + WORDS / 2, source + WORDS / 2, sizeof data / 2, far);
            else shmem_putmem(data + WORDS / 2, source + WORDS / 2, sizeof data / 2, far);
            shmem_quiet();
            shmem_uint_p(&flag, round, near);
        } else if (me != near && me != far) {
            for (int i = 0; i < 16; i++) shmem_putmem(noise[me], source, sizeof noise[me], far);
        }
        if (me == near && near != far) {
            shmem_uint_wait_until(&flag, SHMEM_CMP_EQ, round);
            if (near != 0) shmem_uint_p(&flag, round, far);
        }
        if (me == far) {
            shmem_uint_wait_until(&flag, SHMEM_CMP_EQ, round);
            for (int i = 0; i < WORDS; i++)
                if (data[i] != round + (unsigned)i) failed = 1;
            if (failed) printf("round %u: not all had arrived\n", round);
        }
        if (near == 0 && me == 0 && far == 1) shmem_uint_p(&flag, round, far);
        shmem_barrier_all();
    }
    shmem_finalize();
    return failed;
}
