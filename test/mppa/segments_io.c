// SPDX-License-Identifier: BSD-3-Clause
// The master of segments.sh: segments over static data, malloc's memory and its stack, for N clusters to work on.
#include "check.h"

#include <mppa_power.h>
#include <utask.h>

static long long counters[18]; // one a cluster, a sum, and one that is cleared
static long long ready;        // a word of the DDR's, known to clusters by its offset
static int *tiles;

static void create(mppa_async_segment_t *segment, int ident, void *memory, size_t size) {
    CHECK(mppa_async_segment_create(segment, ident, memory, size, 0, 0, NULL) == 0);
}

static void start(int clusters) {
    off64_t offset;
    CHECK(mppa_async_offset(MPPA_ASYNC_DDR_0, &ready, &offset) == 0);
    for (int i = 0; i < clusters; i++) {
        char count[16], place[32];
        snprintf(count, sizeof count, "%d", clusters);
        snprintf(place, sizeof place, "%lld", (long long)offset);
        const char *arguments[] = {"segments_cluster", count, place, NULL};
        CHECK(mppa_power_base_spawn(i, "segments_cluster", arguments, NULL, MPPA_POWER_SHUFFLING_ENABLED) == i);
    }
}

// Every cluster has replaced its tile by the sum of each element and its four neighbours at distance HALO.
static void check_tiles(int clusters) {
    for (int y = 0; y < TILE * clusters; y++)
        for (int x = 0; x < TILE; x++) {
            int here = (y + HALO) * WIDTH + x + HALO;
            CHECK(tiles[HEIGHT(clusters) * WIDTH + here] == tiles[here] + tiles[here - HALO] + tiles[here + HALO] +
                                                                tiles[here - HALO * WIDTH] +
                                                                tiles[here + HALO * WIDTH]);
        }
}

static void check_cube(int clusters, const short *cube) {
    for (int z = 0; z < SIDE; z++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                int in_x = x >= 1 && x < 1 + 3, in_y = y >= 2 && y < 2 + 2;
                int expected = in_x && in_y && z < clusters / 2 ? 100 * z + 10 * (y - 2) + (x - 1) : -1;
                CHECK(cube[(z * SIDE + y) * SIDE + x] == expected);
            }
}

int main(int argc, char **argv) {
    int clusters = argc > 1 ? atoi(argv[1]) : 1;
    long long flags[16] = {0}; // on the stack
    short cube[SIDE * SIDE * SIDE];
    mppa_async_segment_t of_counters, of_tiles, of_flags, of_cube;
    CHECK(mppa_rpc_server_init(1, 0, clusters) == 0);
    CHECK(mppa_async_server_init() == 0);
    utask_t server;
    CHECK(utask_create(&server, NULL, (void *)mppa_rpc_server_start, NULL) == 0);
    size_t size = 2 * (size_t)HEIGHT(clusters) * WIDTH; // the array and what becomes of it
    tiles = malloc(size * sizeof *tiles);
    for (size_t i = 0; i < size; i++) tiles[i] = (int)(i * i % 1009);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) cube[i] = -1;
    start(clusters);
    create(&of_counters, COUNTERS, counters, sizeof counters);
    create(&of_tiles, TILES, tiles, size * sizeof *tiles);
    create(&of_flags, FLAGS, flags, sizeof flags);
    create(&of_cube, CUBE, cube, sizeof cube);
    // Computing, without a call that could serve anybody.
    while (__builtin_k1_ldu(&counters[16]) < 3 * clusters) {
    }
    counters[16] = 0;
    __builtin_k1_afdau(&ready, 1);
    for (int i = 0; i < clusters; i++) CHECK(mppa_async_evalcond(&flags[i], i, MPPA_ASYNC_COND_EQ, NULL) == 0);
    for (int i = 0; i < clusters; i++) {
        int status = -1;
        CHECK(mppa_power_base_waitpid(i, &status, 0) == i);
        CHECK(status == 0);
        CHECK(counters[i] == 5 + i);
    }
    CHECK(utask_join(server, NULL) == 0);
    CHECK(counters[16] == 0 && counters[17] == 0);
    check_tiles(clusters);
    check_cube(clusters, cube);
    CHECK(mppa_async_segment_destroy(&of_counters) == 0 && mppa_async_segment_destroy(&of_tiles) == 0);
    CHECK(mppa_async_server_final() == 0);
    free(tiles);
    puts("well");
    return 0;
}
