// SPDX-License-Identifier: BSD-3-Clause
// The shape of the test programs that Ross and Richie's (2016) authors published: two blocks of 8 KB, each at a
// multiple of 8 KB, beside a barrier, a sum of one int over an active set, and the stack. In 32 KB this leaves the
// first 8 KB to code and data.
#include <shmem.h>

#define BLOCK 8192
#define WORDS (BLOCK / (int)sizeof(int))
#define WORK SHMEM_REDUCE_MIN_WRKDATA_SIZE

static long reduce_sync[SHMEM_REDUCE_SYNC_SIZE];
static int work[WORK > 2 ? WORK : 2];
static int wrong, wrong_anywhere;

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes(), next = me + 1 < pes ? me + 1 : 0,
              before = me > 0 ? me - 1 : pes - 1;
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) reduce_sync[i] = SHMEM_SYNC_VALUE;
    int *source = shmem_align(BLOCK, BLOCK);
    int *target = shmem_align(BLOCK, BLOCK);
    if (!source || !target) shmem_global_exit(2);
    for (int i = 0; i < WORDS; i++) source[i] = (me << 16) + i;
    shmem_barrier_all();
    shmem_int_put(target, source, WORDS, next);
    shmem_barrier_all();
    for (int i = 0; i < WORDS; i++) wrong += target[i] != (before << 16) + i;
    shmem_int_sum_to_all(&wrong_anywhere, &wrong, 1, 0, 0, pes, work, reduce_sync);
    shmem_finalize();
    return wrong_anywhere != 0;
}
