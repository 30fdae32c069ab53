// SPDX-License-Identifier: BSD-3-Clause
// Measures segments (aos.h): memory that a PE has published.
// * PE 0 operates on a segment of PE 1 while PE 1 waits.
// * PE 0 sends a stream of messages through a queue of PE 1.
// * PE 0 gets tiles with their halo (the elements around a tile) from a picture on PE 1: by aos_get_block2d, by a loop
//   over rows, and by a loop over elements.
#include "../shmem/measure.h"

#include <stdio.h>
#include <string.h>
#if __has_include(<aos.h>)
#include <aos.h>
#endif

#ifdef AOS_SUCCESS

enum {
    data_id = 1000, // PE p's segment has the id data_id + p; PE p's queue has the id queue_id + p
    queue_id = 2000,
    messages = 1024, // capacity of the queue, as in ../limits/ring.c
    picture = 1024,
    side = 64,
    halo = 1, // in floats, like picture, side and tile
    tile = side + 2 * halo
};

static aos_segment_t segment; // clone of PE 1's segment
static aos_queue_t queue;
static int64_t *word; // first word of this PE's segment
static int64_t added;
static long failures, *done; // done: number of batches that PE 1 has read in loop_stream; PE 1 writes it on PE 0

// Counts a failure if `outcomes` is not AOS_SUCCESS. A loop ORs the results of its calls in a register and calls `must`
// at its end. A loop must not store each result to memory: the store would wait for the atomic operation before it, or
// the next atomic operation would wait for the store.
static void must(int outcomes) {
    failures += outcomes != AOS_SUCCESS;
}

static bool verify_nothing_failed(const struct measurement *m) {
    (void)m;
    return failures == 0;
}

// -- Data --------------------------------------------------------------------------------------------------------------

static uint64_t place_of(const struct measurement *m) {
    return aos_offset(&segment, shmem_ptr(m->destination, m->peer));
}

static void loop_put(const struct measurement *m, long count) {
    const uint64_t offset = place_of(m);
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) outcomes |= aos_put(m->source, &segment, offset, m->bytes, NULL);
    must(outcomes | aos_fence(&segment, NULL));
}

static void loop_get(const struct measurement *m, long count) {
    const uint64_t offset = place_of(m);
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) outcomes |= aos_get(m->source, &segment, offset, m->bytes, NULL);
    must(outcomes);
}

static bool verify_put(const struct measurement *m) {
    if (bench_me != m->peer) return failures == 0;
    const bool holds = measure_holds(m->destination, m->bytes, 0, 0);
    for (size_t i = 0; i < m->bytes; ++i) ((uint8_t *)m->destination)[i] = measure_pattern(i, bench_me);
    return holds;
}

static bool verify_get(const struct measurement *m) {
    if (bench_me != 0) return true;
    const bool holds = failures == 0 && measure_holds(m->source, m->bytes, 0, m->peer);
    for (size_t i = 0; i < m->bytes; ++i) ((uint8_t *)m->source)[i] = measure_pattern(i, 0);
    return holds;
}

// -- Words -------------------------------------------------------------------------------------------------------------

static void loop_postadd(const struct measurement *m, long count) {
    (void)m;
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) outcomes |= aos_postadd(&segment, 0, 1);
    must(outcomes | aos_fence(&segment, NULL));
    added += count;
}

static void loop_fetchadd(const struct measurement *m, long count) {
    (void)m;
    int outcomes = AOS_SUCCESS;
    int64_t before = 0, differences = 0;
    for (long i = 0; i < count; ++i) {
        outcomes |= aos_fetchadd(&segment, 0, 1, &before, NULL);
        differences |= before ^ (added + i);
    }
    must(outcomes | (differences != 0));
    added += count;
}

static bool verify_word(const struct measurement *m) {
    int64_t seen;
    if (bench_me != 0) return true;
    must(aos_fetchclear(&segment, 0, &seen, NULL));
    const bool holds = failures == 0 && seen == added;
    (void)m;
    added = 0;
    return holds;
}

// -- Messages ----------------------------------------------------------------------------------------------------------

// Sends `count` messages from PE 0 to PE 1; both PEs call this function. On PE 0 it returns when PE 1 has read the last
// message, so PE 0's time includes the reading.
static void loop_stream(const struct measurement *m, long count) {
    static int64_t number;
    static long batches;
    (void)m;
    int outcomes = AOS_SUCCESS;
    batches++;
    for (long i = 0; i < count; ++i, ++number) {
        int64_t message[2] = {number, i};
        if (bench_me == 0) {
            outcomes |= aos_enqueue(&queue, message, sizeof message);
        } else {
            outcomes |= aos_dequeue(&queue, message, sizeof message, NULL);
            outcomes |= message[0] != number || message[1] != i;
        }
    }
    must(outcomes);
    if (bench_me == 0) shmem_long_wait_until(done, SHMEM_CMP_GE, batches);
    else shmem_long_p(done, batches, 0);
}

// -- Tiles -------------------------------------------------------------------------------------------------------------

static float tile_here[tile][tile];

// Returns the place of tile `number` in the picture: the coordinates of the upper left corner of the tile's halo, and
// the size of the picture, all in elements. Tiles are numbered row by row. The tiles are so far from the picture's
// edges that every tile has a complete halo.
static aos_point2d_t next_tile(long number) {
    const int across = picture / side - 1;
    return (aos_point2d_t){.xpos = (int)(number % across) * side + side / 2 - halo,
                           .ypos = (int)(number / across % across) * side + side / 2 - halo,
                           .xdim = picture,
                           .ydim = picture};
}

static void loop_block(const struct measurement *m, long count) {
    const uint64_t offset = place_of(m);
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) {
        const aos_point2d_t place = next_tile(i);
        outcomes |= aos_get_block2d(tile_here, NULL, &segment, offset, &place, sizeof(float), tile, tile, NULL);
    }
    must(outcomes);
}

static void loop_block_elements(const struct measurement *m, long count) {
    const float *there = shmem_ptr(m->destination, m->peer);
    for (long i = 0; i < count; ++i) {
        const aos_point2d_t place = next_tile(i);
        for (int y = 0; y < tile; ++y)
            for (int x = 0; x < tile; ++x) tile_here[y][x] = there[(place.ypos + y) * picture + place.xpos + x];
        __asm__ volatile("" ::: "memory"); // keeps the compiler from dropping the work of a turn
    }
}

static void loop_block_rows(const struct measurement *m, long count) {
    const float *there = shmem_ptr(m->destination, m->peer);
    for (long i = 0; i < count; ++i) {
        const aos_point2d_t place = next_tile(i);
        for (int y = 0; y < tile; ++y)
            memcpy(tile_here[y], &there[(place.ypos + y) * picture + place.xpos], sizeof tile_here[y]);
        __asm__ volatile("" ::: "memory");
    }
}

// Returns true if no call failed and tile 0 is fetched correctly: fetches it once more and compares it with the
// pattern. Does not check the tile that the last batch fetched, because the number of that tile is not known here.
static bool verify_block(const struct measurement *m) {
    if (bench_me != 0) return true;
    const aos_point2d_t place = next_tile(0);
    bool holds = failures == 0;
    memset(tile_here, 0, sizeof tile_here);
    m->loop(m, 1);
    for (int y = 0; y < tile; ++y)
        holds &= measure_holds(tile_here[y], sizeof tile_here[y],
                               ((size_t)(place.ypos + y) * picture + (size_t)place.xpos) * sizeof(float), m->peer);
    return holds;
}

// -- Measurements -----------------------------------------------------------------------------------------------------

static void measure_blocks(struct measurement m) {
    m.bytes = sizeof tile_here;
    m.verify = verify_block;
    if (measure_wanted("aos_block2d")) m.name = "aos_block2d", m.loop = loop_block, measure(m);
    if (measure_wanted("block2d_rows")) m.name = "block2d_rows", m.loop = loop_block_rows, measure(m);
    if (measure_wanted("block2d_elements")) m.name = "block2d_elements", m.loop = loop_block_elements, measure(m);
}

static void measure_words(struct measurement m) {
    m.bytes = 8;
    m.verify = verify_word;
    if (measure_wanted("aos_postadd")) m.name = "aos_postadd", m.loop = loop_postadd, measure(m);
    if (measure_wanted("aos_fetchadd")) m.name = "aos_fetchadd", m.loop = loop_fetchadd, measure(m);
}

static void measure_data(struct measurement m) {
    m.verify = verify_put;
    if (measure_wanted("aos_put")) m.name = "aos_put", m.loop = loop_put, measure_sizes(m, 1, 1);
    m.verify = verify_get;
    if (measure_wanted("aos_get")) m.name = "aos_get", m.loop = loop_get, measure_sizes(m, 1, 1);
}

static void make_segments(size_t bytes) {
    aos_segment_t own;
    aos_queue_t own_queue;
    const int peer = bench_pes > 1 ? 1 : 0;
    must(aos_init(0));
    must(aos_segment_create(&own, data_id + (uint64_t)bench_me, word, bytes, NULL));
    must(aos_segment_clone(&segment, data_id + (uint64_t)peer, 0));
    must(aos_queue_create(&own_queue, queue_id + (uint64_t)bench_me, 16, messages, NULL, NULL));
    if (bench_me == peer) queue = own_queue;
    else must(aos_queue_clone(&queue, queue_id + (uint64_t)peer, 0));
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    const size_t most = measure_most(1), picture_bytes = sizeof(float) * picture * picture;
    const size_t bytes = most > picture_bytes ? most : picture_bytes;
    done = shmem_calloc(1, 64);
    struct measurement m = {.who = who_first, .source = measure_buffer(bytes)};
    // The first page of the segment contains only the word. The data begin at the second page.
    word = measure_buffer(4096 + bytes);
    *word = 0;
    m.destination = (char *)word + 4096;
    for (size_t i = 0; i < bytes; ++i) ((uint8_t *)m.destination)[i] = measure_pattern(i, bench_me);
    make_segments(4096 + bytes);
    shmem_barrier_all();
    measure_data(m);
    measure_words(m);
    if (measure_wanted("aos_queue"))
        measure((struct measurement){
            .name = "aos_queue", .who = who_pair, .bytes = 16, .loop = loop_stream, .verify = verify_nothing_failed});
    measure_blocks(m);
    shmem_barrier_all();
    failures += aos_finalize() != AOS_SUCCESS;
    if (failures) fprintf(stderr, "aos: PE %d: %ld calls failed\n", bench_me, failures);
    measure_end();
    return failures != 0;
}

#else

int main(int argument_count, char **arguments) {
    static const char *const names[] = {"aos_put",   "aos_get",     "aos_postadd",  "aos_fetchadd",
                                        "aos_queue", "aos_block2d", "block2d_rows", "block2d_elements"};
    measure_start(argument_count, arguments);
    for (int i = 0; i < 8; i++)
        if (measure_wanted(names[i])) measure_skip(names[i], "has no segments");
    measure_end();
    return 0;
}

#endif
