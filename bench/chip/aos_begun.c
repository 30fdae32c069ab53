// SPDX-License-Identifier: BSD-3-Clause
// Measures puts and gets of aos.h with an event, which a DMA channel or the data's owner does while PE 0 computes: the
// call, the transfer, and both beside a computation. PE 0 accesses a segment of the next PE, or external memory. The other
// PEs wait at a barrier. For comparison, measures the same transfer without an event (names with _plain).
#include "chip.h"

#include <aos.h>

#define BYTES_MAX 8192
#define ROW_BYTES 128                                     // of a rectangle, in an array whose rows are twice as long
static char local[BYTES_MAX] __attribute__((aligned(8))); // also the segment, because each copy goes to another memory
static volatile float result;
static aos_segment_t own, right, external;
static aos_event_t event;
static int me, outcomes;

static const uint16_t sizes[] = {256, 512, 1024, 2048, 4096, 8192};

static void must(int outcome) {
    if (outcome) shmem_global_exit(4);
}

// Computes in registers only.
static void __attribute__((noinline)) compute(uint32_t rounds) {
    float a = 1, b = 0;
    while (rounds--) b = b * 0.5f + a;
    result = b;
}

static void put(const aos_segment_t *segment, uint32_t bytes, aos_event_t *done) {
    outcomes |= done ? aos_put(local, segment, 0, bytes, done) : aos_put(local, segment, 0, bytes, NULL);
}

static void get(const aos_segment_t *segment, uint32_t bytes, aos_event_t *done) {
    outcomes |= done ? aos_get(local, segment, 0, bytes, done) : aos_get(local, segment, 0, bytes, NULL);
}

static void put_rows(const aos_segment_t *segment, uint32_t bytes, aos_event_t *done) {
    outcomes |= aos_put_spaced(local, segment, 0, ROW_BYTES, bytes / ROW_BYTES, (uint64_t)2 * ROW_BYTES, done);
}

static void get_rows(const aos_segment_t *segment, uint32_t bytes, aos_event_t *done) {
    outcomes |= aos_get_spaced(local, segment, 0, ROW_BYTES, bytes / ROW_BYTES, (uint64_t)2 * ROW_BYTES, done);
}

struct way {
    void (*move)(const aos_segment_t *segment, uint32_t bytes, aos_event_t *done);
    const aos_segment_t *segment;
    uint32_t bytes_max;
};
static const struct way ways[] = {
    {put, &right, BYTES_MAX}, {put_rows, &right, BYTES_MAX / 2}, {put, &external, BYTES_MAX},
    {get, &right, BYTES_MAX}, {get_rows, &right, BYTES_MAX / 2}, {get, &external, BYTES_MAX},
};

// The names of the figures lie in external memory, because a core's memory is small.
#define NAMES(NAME)                                                                                                    \
    { "begun_" NAME "_call", "begun_" NAME, "begun_" NAME "_plain", "begun_" NAME "_alone", "begun_" NAME "_both" }
SHMEMX_SHARED static char names[][5][28] = {NAMES("put"), NAMES("put_rows"), NAMES("put_external"),
                                            NAMES("get"), NAMES("get_rows"), NAMES("get_external")};

static void finish(void) {
    outcomes |= aos_event_wait(&event);
}

static void measure(unsigned index, uint32_t bytes) {
    const struct way *way = &ways[index];
    uint32_t call = NOT_MEASURED, wait = NOT_MEASURED, plain = NOT_MEASURED, alone = NOT_MEASURED, both = NOT_MEASURED;
    shmem_barrier_all();
    if (me == 0) {
        uint32_t rounds = 0;
        way->move(way->segment, bytes, &event);
        finish();
        call = CYCLES(way->move(way->segment, bytes, &event));
        finish();
        wait = CYCLES((way->move(way->segment, bytes, &event), finish()));
        plain = CYCLES(way->move(way->segment, bytes, NULL));
        do alone = CYCLES(compute(rounds += 10));
        while (alone < wait);
        both = CYCLES((way->move(way->segment, bytes, &event), compute(rounds), finish()));
    }
    shmem_barrier_all();
    note(names[index][0], 1, bytes, call);
    note(names[index][1], 1, bytes, wait);
    note(names[index][2], 1, bytes, plain);
    note(names[index][3], 1, bytes, alone);
    note(names[index][4], 1, bytes, both);
}

int main(void) {
    shmem_init();
    timer_start();
    must(aos_init(0));
    me = shmem_my_pe();
    const int pes = shmem_n_pes();
    must(aos_segment_create(&own, (uint64_t)me, local, BYTES_MAX, NULL));
    must(aos_segment_clone(&right, (uint64_t)(me + 1 < pes ? me + 1 : 0), 0));
    if (me == 0) must(aos_segment_create(&external, 100, aos_malloc(BYTES_MAX), BYTES_MAX, NULL));
    for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++)
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
            if (sizes[i] <= ways[w].bytes_max) measure(w, sizes[i]);
    must(outcomes);
    tell();
    must(aos_finalize());
    shmem_finalize();
    return 0;
}
