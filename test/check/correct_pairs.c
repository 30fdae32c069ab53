// SPDX-License-Identifier: BSD-3-Clause
// A right program in which PE 0 is late, and all other PEs wait for it, each in a team of its own. PE 0 enters the teams' collectives
// one after the other. With 18 nodes it has no place to note all that have arrived. Checking must let it pass.
// pes: 4
// ways: 4:4:tcp 18:18:tcp
// check: yes
#include <shmem.h>

#include <unistd.h>

#define ROUNDS 6
#define PES_MAX 18

static long value, sum;
static shmem_team_t pair[PES_MAX];

static void require(int holds) {
    if (!holds) shmem_global_exit(1);
}

static void meet(int other, int round) {
    if (pair[other] == SHMEM_TEAM_INVALID) return;
    value = round;
    require(shmem_long_sum_reduce(pair[other], &sum, &value, 1) == 0);
    require(sum == 2 * round);
    shmem_team_sync(pair[other]);
}

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    for (int other = 1; other < pes; other++)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, other, 2, NULL, 0, &pair[other]);
    for (int round = 0; round < ROUNDS; round++) {
        if (me == 0) usleep(2000);
        for (int other = pes - 1; other > 0; other--) meet(other, round);
    }
    shmem_finalize();
    return 0;
}
