// SPDX-License-Identifier: BSD-3-Clause
// A cluster of segments.sh: every operation, on memory of the master's and of other clusters'.
#include "check.h"

#include <mOS_vcore_u.h>
#include <string.h>
#include <utask.h>

static int me, clusters, next;
static off64_t block;              // of the DDR's; cluster 0 tells the others
static long long turn, turns_done; // at the same place in all clusters
static mppa_async_event_t my_turn;

// -- The master's memory -----------------------------------------------------------------------------------------------

static void try_transfers(const mppa_async_segment_t *tiles) {
    static int from[WIDTH][WIDTH], to[WIDTH][WIDTH], column[TILE], row[TILE], spread[TILE][3];
    mppa_async_point2d_t here = {0, TILE * me, WIDTH, HEIGHT(clusters)}, whole = {0, 0, WIDTH, WIDTH};
    mppa_async_event_t event;
    CHECK(mppa_async_sget_block2d(from, tiles, 0, sizeof(int), WIDTH, WIDTH, &whole, &here, &event) == 0);
    CHECK(mppa_async_event_wait(&event) == 0 && mppa_async_event_test(&event) == 0);
    off64_t corner = ((off64_t)(TILE * me + HALO) * WIDTH + HALO) * (off64_t)sizeof(int);
    CHECK(mppa_async_get(row, tiles, corner, sizeof row, NULL) == 0);
    CHECK(memcmp(row, &from[HALO][HALO], sizeof row) == 0);
    CHECK(mppa_async_get_spaced(column, tiles, corner, sizeof(int), TILE, WIDTH * sizeof(int), NULL) == 0);
    CHECK(mppa_async_sget_spaced(spread, tiles, corner, sizeof(int), TILE, sizeof spread[0], WIDTH * sizeof(int),
                                 NULL) == 0);
    for (int i = 0; i < TILE; i++) CHECK(column[i] == from[i + HALO][HALO] && spread[i][0] == column[i]);
    for (int y = HALO; y < TILE + HALO; y++)
        for (int x = HALO; x < TILE + HALO; x++)
            to[y][x] = from[y][x] + from[y - HALO][x] + from[y + HALO][x] + from[y][x - HALO] + from[y][x + HALO];
    off64_t results = (off64_t)HEIGHT(clusters) * WIDTH * (off64_t)sizeof(int);
    mppa_async_point2d_t inner = {HALO, HALO, WIDTH, WIDTH}, there = {HALO, TILE * me + HALO, WIDTH, HEIGHT(clusters)};
    CHECK(mppa_async_sput_block2d(to, tiles, results, sizeof(int), TILE, TILE, &inner, &there, &event) == 0);
    CHECK(mppa_async_fence(tiles, &event) == 0 && mppa_async_event_wait(&event) == 0);
}

static void try_cube(const mppa_async_segment_t *cube) {
    if (me >= clusters / 2) return;
    short box[2][3];
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 3; x++) box[y][x] = (short)(100 * me + 10 * y + x);
    mppa_async_point3d_t there = {1, 2, me, SIDE, SIDE, SIDE};
    CHECK(mppa_async_put_block3d(box, cube, 0, sizeof(short), 3, 2, 1, &there, NULL) == 0);
}

static void *add(void *segment) {
    CHECK(__k1_get_cpu_id() > 0 && __k1_get_cpu_id() < 16);
    CHECK(mppa_async_postadd(segment, 16 * sizeof(long long), 1) == 0);
    return NULL;
}

static void try_atomics(mppa_async_segment_t *counters) {
    utask_t tasks[3];
    long long value = -1;
    off64_t mine = me * (off64_t)sizeof(long long);
    for (int i = 0; i < 3; i++) CHECK(utask_create(&tasks[i], NULL, add, counters) == 0);
    for (int i = 0; i < 3; i++) CHECK(utask_join(tasks[i], NULL) == 0);
    CHECK(mppa_async_poke(counters, mine, 7) == 0);
    CHECK(mppa_async_fetchadd(counters, mine, 3, &value, NULL) == 0 && value == 7);
    CHECK(mppa_async_peek(counters, mine, &value, NULL) == 0 && value == 10);
    mppa_async_event_t event;
    CHECK(mppa_async_fetchclear(counters, mine, &value, &event) == 0);
    CHECK(mppa_async_event_wait(&event) == 0 && value == 10);
    CHECK(mppa_async_postadd(counters, mine, 5 + me) == 0);
    CHECK(mppa_async_put(&value, counters, 18 * sizeof(long long), 8, NULL) == -1); // outside
    CHECK(mppa_async_fence(counters, NULL) == 0);
}

// -- Each other's memory -----------------------------------------------------------------------------------------------

static void try_ddr(off64_t ready) {
    static int numbers[16];
    if (me == 0) {
        CHECK(mppa_async_malloc(MPPA_ASYNC_DDR_0, 16 * sizeof(int), &block, NULL) == 0);
        for (int i = 1; i < clusters; i++)
            CHECK(mppa_async_put(&block, mppa_async_default_segment(MPPA_ASYNC_SERVER_CC0 + i), (off64_t)&block,
                                 sizeof block, NULL) == 0);
    }
    CHECK(mppa_rpc_barrier_all() == 0);
    int number = me * me;
    CHECK(mppa_async_put(&number, MPPA_ASYNC_DDR_0, block + me * (off64_t)sizeof number, sizeof number, NULL) == 0);
    CHECK(mppa_rpc_barrier_all() == 0);
    CHECK(mppa_async_get(numbers, MPPA_ASYNC_DDR_0, block, sizeof numbers, NULL) == 0);
    for (int i = 0; i < clusters; i++) CHECK(numbers[i] == i * i);
    CHECK(((int *)block)[clusters - 1] == (clusters - 1) * (clusters - 1));
    CHECK(mppa_rpc_barrier_all() == 0);
    if (me == 0) CHECK(mppa_async_free(MPPA_ASYNC_DDR_0, block, NULL) == 0);
    long long value;
    do CHECK(mppa_async_peek(MPPA_ASYNC_DDR_0, ready, &value, NULL) == 0);
    while (value == 0);
}

// A token goes round; the event is waited for again each time.
static void try_ring(void) {
    CHECK(mppa_async_evalcond(&turn, 0, MPPA_ASYNC_COND_GT, &my_turn) == 0);
    for (int round = 0; round < 20; round++) {
        if (me > 0 || round > 0) {
            CHECK(mppa_async_event_wait(&my_turn) == 0);
            __builtin_k1_afdau(&turn, -1);
        }
        turns_done++;
        CHECK(mppa_async_postadd(mppa_async_default_segment(next), (off64_t)&turn, 1) == 0);
    }
    if (me == 0) CHECK(mppa_async_event_wait(&my_turn) == 0);
    CHECK(turns_done == 20);
    CHECK(mppa_rpc_barrier_all() == 0);
}

// Into memory of malloc's and of the stack, whose addresses the others are told.
static void try_private_memory(void) {
    static long long *places[16][2];
    long long on_stack[16] = {0}, *on_heap = calloc(16, sizeof *on_heap), *mine[2] = {on_stack, on_heap};
    for (int i = 0; i < clusters; i++)
        CHECK(mppa_async_put(mine, mppa_async_default_segment(i), (off64_t)&places[me], sizeof mine, NULL) == 0);
    CHECK(mppa_rpc_barrier_all() == 0);
    for (int i = 0; i < clusters; i++)
        for (int which = 0; which < 2; which++) {
            off64_t there = (off64_t)(places[i][which] + me);
            long long old, value = 10 * me;
            CHECK(mppa_async_put(&value, mppa_async_default_segment(i), there, sizeof value, NULL) == 0);
            CHECK(mppa_async_postadd(mppa_async_default_segment(i), there, 3) == 0);
            CHECK(mppa_async_fetchadd(mppa_async_default_segment(i), there, 1, &old, NULL) == 0 && old == 10 * me + 3);
        }
    CHECK(mppa_rpc_barrier_all() == 0);
    for (int i = 0; i < clusters; i++) CHECK(on_stack[i] == 10 * i + 4 && on_heap[i] == 10 * i + 4);
    if (next != me && !getenv("SKERRY_NO_CROSS_MEMORY")) // where nothing is
        CHECK(mppa_async_get(on_heap, mppa_async_default_segment(next), 64, sizeof *on_heap, NULL) == -1);
    CHECK(mppa_rpc_barrier_all() == 0); // no program ends before
    free(on_heap);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    CHECK(mppa_rpc_client_init() == 0);
    CHECK(mppa_async_init() == 0);
    me = __k1_get_cluster_id();
    clusters = atoi(argv[1]);
    next = (me + 1) % clusters;
    mppa_async_segment_t counters, tiles, flags, cube;
    CHECK(__k1_get_cpu_id() == 0);
    CHECK(mppa_async_segment_clone(&counters, COUNTERS, NULL, 0, NULL) == 0);
    CHECK(mppa_async_segment_clone(&tiles, TILES, NULL, 0, NULL) == 0);
    CHECK(mppa_async_segment_clone(&flags, FLAGS, NULL, 0, NULL) == 0);
    CHECK(mppa_async_segment_clone(&cube, CUBE, NULL, 0, NULL) == 0);
    uint64_t began = __k1_read_dsu_timestamp();
    try_transfers(&tiles);
    try_cube(&cube);
    try_atomics(&counters);
    try_ddr((off64_t)atoll(argv[2]));
    try_ring();
    try_private_memory();
    CHECK(__k1_read_dsu_timestamp() > began && __bsp_frequency > 0);
    CHECK(mppa_async_poke(&flags, me * (off64_t)sizeof(long long), me) == 0);
    CHECK(mppa_async_final() == 0);
    return 0;
}
