// SPDX-License-Identifier: BSD-3-Clause
// A right program with collectives of many active sets, in which some PEs are much earlier than others. On several nodes,
// members of other nodes arrive before the first member. Checking must let it pass.
// pes: 4 5 7
// ways: 4:4:tcp 5:3:all
// check: yes
#include <shmem.h>

#include <unistd.h>

#define ROUNDS 6
#define SETS_MAX 64

static long work[SETS_MAX][SHMEM_COLLECT_SYNC_SIZE], values[2], results[16];

static void require(int holds) {
    if (!holds) shmem_global_exit(1);
}

// All active sets of at least two members, in an order that is the same for all PEs. A member that is late lets the
// others wait in this set, while PEs that are not in it go on to the next sets.
static void sets(int round) {
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    int set = 0;
    for (int stride = 1; stride <= 4; stride *= 2)
        for (int start = 0; start < pes; start++)
            for (int size = 2; start + (size - 1) * stride < pes; size++) {
                const int rank = (me - start) / stride;
                const int is_member = me >= start && (me - start) % stride == 0 && rank < size;
                long *sync = work[set++ % SETS_MAX];
                if (!is_member) continue;
                if ((rank + round) % 5 == 4) usleep(200);
                values[0] = me + 10 * round;
                shmem_collect64(results, values, 1, start, stride == 4 ? 2 : stride / 2, size, sync);
                for (int i = 0; i < size; i++) require(results[i] == start + i * stride + 10 * round);
            }
}

int main(void) {
    shmem_init();
    for (int i = 0; i < SETS_MAX; i++)
        for (int j = 0; j < SHMEM_COLLECT_SYNC_SIZE; j++) work[i][j] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    for (int round = 0; round < ROUNDS; round++) sets(round);
    shmem_finalize();
    return 0;
}
