// SPDX-License-Identifier: BSD-3-Clause
// A right program that comes close to every rule without breaking one: checking must let it pass.
// pes: 1 2 3 5
// check: yes
#include <shmem.h>

#include <stdlib.h>
#include <string.h>

#define COUNT 8

static int me, pes;
static long words[COUNT], values[COUNT], others[COUNT], results[COUNT * 8];
static _Alignas(16) char bytes[64];
static uint64_t signal;
static long work[2][SHMEM_SYNC_SIZE], reduce_work[COUNT];
static long lock;

static void require(int holds) {
    if (!holds) shmem_global_exit(1);
}

static int right(void) {
    return (me + 1) % pes;
}

static void memory(void) {
    require(shmem_malloc(0) == NULL);
    shmem_free(NULL);
    char *exact = shmem_malloc(100);
    shmem_putmem(exact, bytes, 64, right());
    shmem_putmem(exact + 99, bytes, 1, right()); // the last byte
    shmem_barrier_all();
    exact = shmem_realloc(exact, 1000);
    shmem_getmem(bytes, exact + 936, 64, right());
    long *zeroed = shmem_calloc(3, sizeof(long));
    require(zeroed[0] == 0 && zeroed[2] == 0);
    int *aligned = shmem_align(256, 3 * sizeof(int));
    require((uintptr_t)aligned % 256 == 0);
    long *hinted = shmem_malloc_with_hints(sizeof(long), SHMEM_MALLOC_ATOMICS_REMOTE);
    *hinted = 0;
    shmem_barrier_all();
    shmem_long_atomic_inc(hinted, right());
    shmem_barrier_all();
    require(*hinted == 1);
    shmem_free(zeroed);
    shmem_free(exact);
    shmem_free(hinted);
    shmem_free(aligned);
}

static void remote(void) {
    long here = 0;
    shmem_putmem(NULL, NULL, 0, right());
    shmem_getmem(NULL, NULL, 0, me);
    shmem_long_put(words, values, COUNT, right());
    shmem_barrier_all();
    shmem_long_get(&here, words, 1, right());
    shmem_long_put(words, words + COUNT / 2, COUNT / 2, me);  // side by side
    shmem_long_iput(others, others + 1, 2, 2, COUNT / 2, me); // interleaved
    shmem_long_ibput(results, values, 4, 2, 2, 3, right());
    shmem_long_ibget(others, results, 2, 4, 2, 3, right()); // blocks that touch
    shmem_long_ibput(results, values, 0, 0, 0, 3, right()); // blocks of nothing may stand on each other
    shmem_long_ibget(results, values, 0, 0, 0, 3, right());
    shmem_put8(bytes + 1, bytes + 3, 2, me);
    shmem_putmem(bytes + 1, bytes + 9, 7, right());
    long *neighbour = shmem_ptr(words, right());
    if (neighbour) shmem_long_get(&here, values, 1, right()), shmem_putmem(others, neighbour, sizeof words, right());
    shmem_long_p(&words[0], 1, right());
    here = shmem_long_g(&words[0], right());
    shmem_barrier_all();
}

static void non_blocking(void) {
    long copy[COUNT];
    int fetched, again;
    static int counter;
    counter = 0;
    shmem_long_put_nbi(words, values, COUNT, right());
    shmem_long_put_nbi(others, values, COUNT, right()); // one source, read twice
    shmem_long_get_nbi(copy, results, COUNT, right());
    shmem_int_atomic_fetch_inc_nbi(&fetched, &counter, me);
    shmem_int_atomic_fetch_inc_nbi(&again, &counter, me);
    shmem_quiet();
    require(fetched == 0 && again == 1);
    values[0]++;
    copy[0]++;
    shmem_ctx_t ctx;
    require(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx) == 0);
    shmem_ctx_long_get_nbi(ctx, copy, results, COUNT, right());
    shmem_ctx_destroy(ctx); // completes it
    copy[1] = 0;
    for (int i = 0; i < 1000; i++) shmem_long_get_nbi(&results[i % COUNT], &words[i % COUNT], 1, me), shmem_quiet();
    for (int i = 0; i < COUNT; i++) shmem_getmem_nbi(&results[i], &words[i], sizeof(long), right());
    shmem_barrier_all();
    results[0] = 0;
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    int targets[] = {me, right()};
    shmem_pe_quiet(targets, 2);
    shmem_pe_quiet(NULL, 0);
    shmem_barrier_all();
}

static void signals(void) {
    shmem_long_put_signal(words, values, COUNT, &signal, 1, SHMEM_SIGNAL_SET, right());
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
    shmem_barrier_all();
    shmem_putmem_signal_nbi(words, values, 0, &signal, 1, SHMEM_SIGNAL_ADD, right());
    shmem_uint64_wait_until(&signal, SHMEM_CMP_GE, 2);
    shmem_long_wait_until_all(words, 0, NULL, SHMEM_CMP_EQ, 0);
    require(shmem_signal_fetch(&signal) == 2);
    shmem_barrier_all();
}

static void collectives(shmem_team_t team) {
    size_t size = (size_t)shmem_team_n_pes(team);
    long *all = shmem_malloc(size * COUNT * sizeof(long)), *mine = shmem_malloc(size * COUNT * sizeof(long));
    memset(mine, 0, size * COUNT * sizeof(long));
    if (shmem_team_my_pe(team) >= 0) {
        shmem_long_broadcast(team, all, mine, COUNT, shmem_team_n_pes(team) - 1);
        shmem_long_fcollect(team, all, mine, COUNT);
        // Not everybody gives something, and who does not may name nothing.
        if (shmem_team_my_pe(team) % 2) shmem_long_collect(team, all, NULL, 0);
        else shmem_long_collect(team, all, mine, COUNT);
        shmem_long_alltoall(team, all, mine, COUNT);
        shmem_long_alltoalls(team, all, mine, 2, 1, COUNT / 2);
        shmem_long_sum_reduce(team, all, mine, COUNT);
        shmem_long_sum_reduce(team, mine, mine, COUNT);
        shmem_long_sum_inscan(team, mine, mine, COUNT);
        shmem_team_sync(team);
    }
    shmem_free(mine);
    shmem_free(all);
}

static void active_sets(void) {
    shmem_barrier(0, 0, pes, work[0]);
    shmem_sync(0, 0, pes, work[0]);
    int size = (pes + 1) / 2; // every second PE
    if (me % 2 == 0) {
        shmem_barrier(0, 1, size, work[1]);
        shmem_barrier(0, 1, size, work[1]);
        shmem_broadcast64(others, words, 4, 0, 0, 1, size, work[1]);
        shmem_barrier(0, 1, size, work[1]);
        shmem_long_sum_to_all(words, words, 4, 0, 1, size, reduce_work, work[1]);
    }
    shmem_barrier_all();
}

static void teams(void) {
    shmem_team_t half = SHMEM_TEAM_INVALID, rows, columns;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, NULL, 0, &half);
    if (half != SHMEM_TEAM_INVALID) {
        shmem_ctx_t ctx;
        shmem_team_sync(half);
        require(shmem_team_create_ctx(half, 0, &ctx) == 0);
        shmem_ctx_long_p(ctx, words, 1, shmem_team_n_pes(half) - 1);
        shmem_ctx_quiet(ctx);
        shmem_team_destroy(half); // and its context
    }
    require(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &rows, NULL, 0, &columns) == 0);
    shmem_team_sync(rows);
    shmem_team_sync(columns);
    shmem_team_destroy(columns);
    shmem_team_destroy(rows);
    collectives(SHMEM_TEAM_WORLD);
}

static void locks(void) {
    static long held;
    shmem_set_lock(&lock);
    long before = shmem_long_g(&held, 0);
    shmem_long_p(&held, before + 1, 0);
    shmem_clear_lock(&lock);
    while (shmem_test_lock(&lock)) continue;
    shmem_clear_lock(&lock);
    shmem_barrier_all();
    require(me != 0 || held % pes == 0);
}

int main(void) {
    for (int again = 0; again < 2; again++) {
        shmem_init();
        me = shmem_my_pe();
        pes = shmem_n_pes();
        signal = 0;
        shmem_barrier_all();
        memory();
        remote();
        non_blocking();
        signals();
        active_sets();
        teams();
        locks();
        shmem_long_get_nbi(others, words, COUNT, right()); // the end completes it
        shmem_finalize();
    }
    return 0;
}
