// SPDX-License-Identifier: BSD-3-Clause
// Threads in collectives of teams of their own, and with non-blocking operations on contexts of their own, all at once:
// checking lets them pass, and keeps apart what belongs to which.
// pes: 1 2 3
// check: yes
// threads: yes
#include <shmem.h>

#include <pthread.h>

#define THREADS 4
#define ROUNDS 50
#define COUNT 64

static long words[COUNT], sums[THREADS][COUNT], numbers[THREADS][COUNT];

struct part {
    int index;
    shmem_team_t team;
    shmem_ctx_t ctx;
};

static void *work(void *argument) {
    struct part *part = argument;
    long copy[COUNT], before;
    int pes = shmem_n_pes(), right = (shmem_my_pe() + 1) % pes;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < COUNT; i++) numbers[part->index][i] = round + i;
        shmem_ctx_long_get_nbi(part->ctx, copy, words, COUNT, right);
        shmem_ctx_long_atomic_fetch_add_nbi(part->ctx, &before, &words[0], 1, right);
        shmem_long_sum_reduce(part->team, sums[part->index], numbers[part->index], COUNT);
        shmem_ctx_quiet(part->ctx);
        if (copy[1] != 1 || before < 0 || sums[part->index][3] != (long)pes * (round + 3)) shmem_global_exit(1);
        shmem_team_sync(part->team);
    }
    return NULL;
}

int main(void) {
    struct part parts[THREADS];
    pthread_t threads[THREADS];
    int provided;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < COUNT; i++) words[i] = i;
    for (int i = 0; i < THREADS; i++) {
        parts[i].index = i;
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &parts[i].team);
        shmem_ctx_create(SHMEM_CTX_SERIALIZED, &parts[i].ctx);
    }
    shmem_barrier_all();
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, &parts[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    shmem_finalize();
    return 0;
}
