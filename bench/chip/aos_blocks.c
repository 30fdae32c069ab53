// SPDX-License-Identifier: BSD-3-Clause
// Measures transfers of many small blocks by one call of aos.h. PE 0 puts the blocks into a segment of its neighbour,
// PE 1, or gets them from there. The other PEs wait at a barrier. There are two comparisons:
// * words with gaps between them, with shmem_iput64 and shmem_iget64;
// * a tile of a picture, with the pixels around it: by one call, by a get for each row, and by a load for each element.
#include "chip.h"

#include <aos.h>

#define BYTES_MAX 2048
#define PICTURE 20 // width and height in floats
#define TILE 10

static char local[BYTES_MAX] __attribute__((aligned(8))), there[BYTES_MAX] __attribute__((aligned(8)));
static aos_segment_t segment;
static int me, next, outcomes;

#define MEASURE(NAME, BYTES, STATEMENT)                                                                                \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        uint32_t cycles = NOT_MEASURED;                                                                                \
        if (me == 0) cycles = CYCLES(STATEMENT);                                                                       \
        shmem_barrier_all();                                                                                           \
        note(NAME, 1, BYTES, cycles);                                                                                  \
    } while (0)

static void must(int outcome) {
    if (outcome) shmem_global_exit(4);
}

// Measures 4 to 32 blocks of 8 bytes each, whose beginnings are 64 bytes apart.
static void measure_spaced(void) {
    for (uint32_t blocks = 4; blocks <= 32; blocks *= 2) {
        uint32_t bytes = 8 * blocks;
        MEASURE("aos_put_spaced", bytes, outcomes |= aos_put_spaced(local, &segment, 0, 8, blocks, 64, NULL));
        MEASURE("aos_put_spaced_shmem", bytes, shmem_iput64(there, local, 8, 1, blocks, next));
        MEASURE("aos_get_spaced", bytes, outcomes |= aos_get_spaced(local, &segment, 0, 8, blocks, 64, NULL));
        MEASURE("aos_get_spaced_shmem", bytes, shmem_iget64(local, there, 1, 8, blocks, next));
    }
}

static void __attribute__((noinline)) get_by_elements(const float *picture, const aos_point2d_t *place) {
    float *to = (float *)local;
    const float *row = picture + place->ypos * PICTURE + place->xpos;
    for (int y = 0; y < TILE; y++, row += PICTURE)
        for (int x = 0; x < TILE; x++) *to++ = row[x];
}

static void __attribute__((noinline)) get_by_rows(const aos_point2d_t *place) {
    char *to = local;
    const char *row = there + 4 * (place->ypos * PICTURE + place->xpos);
    for (int y = 0; y < TILE; y++, row += 4 * PICTURE, to += 4 * TILE) shmem_getmem(to, row, 4 * TILE, next);
}

static bool is_tile(const aos_point2d_t *place) {
    const float *tile = (const float *)local;
    bool same = true;
    for (int y = 0; y < TILE; y++)
        for (int x = 0; x < TILE; x++) {
            int element = (place->ypos + y) * PICTURE + place->xpos + x;
            same &= tile[y * TILE + x] == (float)element;
        }
    return same;
}

// Measures tiles whose rows begin at a double word, and tiles whose rows begin in the middle of a double word.
static void measure_blocks(void) {
    const float *picture = shmem_ptr(there, next);
    for (int i = 0; i < PICTURE * PICTURE; i++) ((float *)there)[i] = (float)i;
    for (int x = 4; x <= 5; x++) {
        aos_point2d_t place = {.xpos = x, .ypos = 3, .xdim = PICTURE, .ydim = PICTURE};
        uint32_t bytes = 4 * TILE * TILE + (x & 1) * 4; // + 4 makes the printed lines of the two tiles differ
        MEASURE("aos_block2d", bytes,
                outcomes |= aos_get_block2d(local, NULL, &segment, 0, &place, 4, TILE, TILE, NULL));
        must(me == 0 && !is_tile(&place));
        MEASURE("aos_block2d_rows", bytes, get_by_rows(&place));
        MEASURE("aos_block2d_elements", bytes, get_by_elements(picture, &place));
    }
}

int main(void) {
    aos_segment_t own;
    shmem_init();
    timer_start();
    me = shmem_my_pe();
    next = me + 1 < shmem_n_pes() ? me + 1 : 0;
    must(aos_init(0));
    must(aos_segment_create(&own, (uint64_t)me, there, BYTES_MAX, NULL));
    must(aos_segment_clone(&segment, (uint64_t)next, 0));
    measure_spaced();
    measure_blocks();
    must(outcomes);
    must(aos_finalize());
    tell();
    shmem_finalize();
    return 0;
}
