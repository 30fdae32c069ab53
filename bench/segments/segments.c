// SPDX-License-Identifier: BSD-3-Clause
// Times the experiments of Hascoet et al. 2017, section 6 (segments.h), on this machine. In measurements whose names
// begin with one_, PE 0 acts alone while PE 1 waits.
#include "../shmem/measure.h"

#include <stdio.h>
#include <string.h>
#if __has_include(<aos.h>)
#include <aos.h>
#endif

#ifdef AOS_SUCCESS
#include "segments_data.h"
#include "segments_words.h"

static bool is_alone(const struct measurement *m) {
    return m->who == who_first;
}

static void fill(uint8_t *data, size_t bytes, int pe) {
    for (size_t i = 0; i < bytes; ++i) data[i] = measure_pattern(i, pe);
}

// -- Table 1 -----------------------------------------------------------------------------------------------------------

static uint8_t *piece;

static void loop_neighbour(const struct measurement *m, long count) {
    put_pieces(is_alone(m) ? &own_piece : &right_piece, m->source, m->bytes, count); // alone: PE 0 puts to itself
}

static bool verify_neighbour(const struct measurement *m) {
    const int left = is_alone(m) ? 0 : (bench_me + bench_pes - 1) % bench_pes;
    const bool holds = (is_alone(m) && bench_me != 0) || measure_holds(piece, m->bytes, 0, left);
    memset(piece, 0, m->bytes);
    return holds && failures == 0;
}

// -- Figures 2 and 3 ---------------------------------------------------------------------------------------------------

// Each memory has a part for each PE. Returns the offset in bytes of this PE's part, which is the same in each memory.
static uint64_t place_in_memory(const struct measurement *m) {
    return (uint64_t)bench_me * m->bytes;
}

static void loop_put(const struct measurement *m, long count) {
    put_memory(m->source, place_in_memory(m), m->bytes, count);
}

static void loop_get(const struct measurement *m, long count) {
    get_memory(m->source, place_in_memory(m), m->bytes, count);
}

static void loop_put_blocking(const struct measurement *m, long count) {
    put_memory_blocking(m->source, place_in_memory(m), m->bytes, count);
}

static void loop_get_blocking(const struct measurement *m, long count) {
    get_memory_blocking(m->source, place_in_memory(m), m->bytes, count);
}

// Returns true if puts deliver the right data. Puts the data to a cleared place in each memory and checks them there.
// The data of the measured batch are not checked, because they possibly are in only one of the two memories. A batch of
// one turn writes only one.
static bool verify_put(const struct measurement *m) {
    bool holds = failures == 0;
    if (is_alone(m) && bench_me != 0) return holds;
    for (int i = 0; i < memory_count; ++i) memset(aos_pointer(memory_of(i), place_in_memory(m), m->bytes), 0, m->bytes);
    m->loop(m, memory_count);
    for (int i = 0; i < memory_count; ++i)
        holds &= measure_holds(aos_pointer(memory_of(i), place_in_memory(m), m->bytes), m->bytes, 0, bench_me);
    return holds;
}

// Returns true if gets deliver the right data. Puts data to each memory, gets them back and checks them. Leaves in
// m->source the data that the next measurement puts.
static bool verify_get(const struct measurement *m) {
    bool holds = failures == 0;
    if (is_alone(m) && bench_me != 0) return holds;
    for (int i = 0; i < memory_count; ++i) {
        fill(m->source, m->bytes, bench_me);
        must(aos_put(m->source, memory_of(i), place_in_memory(m), m->bytes, NULL));
        memset(m->source, 0, m->bytes);
        must(aos_get(m->source, memory_of(i), place_in_memory(m), m->bytes, NULL));
        holds &= measure_holds(m->source, m->bytes, 0, bench_me);
    }
    return holds;
}

static void measure_memory(struct measurement m, const char *prefix, const char *name, int first, int count) {
    static char names[4][64];
    static const struct {
        const char *operation, *suffix;
        void (*loop)(const struct measurement *, long);
        bool (*verify)(const struct measurement *);
    } ways[4] = {{"get", "", loop_get, verify_get},
                 {"put", "", loop_put, verify_put},
                 {"get", "_blocking", loop_get_blocking, verify_get},
                 {"put", "_blocking", loop_put_blocking, verify_put}};
    first_memory = first;
    memory_count = count;
    for (int i = 0; i < 4; ++i) {
        snprintf(names[i], sizeof names[i], "%s%s_%s%s", prefix, ways[i].operation, name, ways[i].suffix);
        m.name = names[i];
        m.loop = ways[i].loop;
        m.verify = ways[i].verify;
        if (measure_wanted(m.name)) measure_sizes(m, 1, (size_t)bench_pes);
    }
}

// -- Figure 4 ----------------------------------------------------------------------------------------------------------

static bool is_spread(const struct measurement *m) {
    return m->divisor > 0;
}

static void loop_post(const struct measurement *m, long count) {
    post_words(is_spread(m), count);
    must(aos_fence_all(NULL));
}

static void loop_fetch(const struct measurement *m, long count) {
    fetch_words(is_spread(m), count);
}

static bool verify_words(const struct measurement *m) {
    (void)m;
    tell_added();
    shmem_barrier_all();
    const bool holds = bench_me != 0 || has_all_added();
    shmem_barrier_all();
    return holds && failures == 0;
}

static void measure_words(struct measurement m, const char *prefix) {
    static char names[4][64];
    m.bytes = 8;
    m.verify = verify_words;
    for (int i = 0; i < 4; ++i) {
        snprintf(names[i], sizeof names[i], "%s%s_%s", prefix, i < 2 ? "post" : "fetch", i % 2 ? "central" : "spread");
        m.name = names[i];
        m.loop = i < 2 ? loop_post : loop_fetch;
        m.divisor = i % 2 ? 0 : 1; // is_spread reads the divisor, too
        if (measure_wanted(m.name)) measure(m);
    }
}

// -- Table 2 -----------------------------------------------------------------------------------------------------------

static void loop_queues(const struct measurement *m, long count) {
    if (bench_me == 0) lead(bench_pes - 1, m->bytes, (int32_t)count);
    else work(m->bytes, (int32_t)count);
}

static bool verify_queues(const struct measurement *m) {
    (void)m;
    return failures == 0;
}

// -- Set-up and measurements ------------------------------------------------------------------------------------------

static void make_segments(size_t most) {
    const size_t memory_bytes = measure_most((size_t)bench_pes);
    int64_t *word = measure_buffer(64);
    piece = measure_buffer(most);
    memset(piece, 0, most);
    word[0] = word[1] = 0;
    void *own = shmem_malloc(memory_bytes); // a collective call; only the last PE's memory is used
    segments_begin();
    make_pieces(piece, most);
    make_words(word);
    make_memories(own, memory_bytes, memory_bytes);
    make_queues(NULL, SEGMENTS_PES_MOST);
    shmem_barrier_all();
}

static void measure_as(struct measurement m, const char *prefix) {
    char name[64];
    snprintf(name, sizeof name, "%sneighbour", prefix);
    m.name = name;
    m.loop = loop_neighbour;
    m.verify = verify_neighbour;
    if (measure_wanted(name)) measure_sizes(m, 1, 1);
    measure_memory(m, prefix, "external1", 0, 1);
    measure_memory(m, prefix, "external2", 0, 2);
    measure_memory(m, prefix, "pe", 2, 1);
    measure_words(m, prefix);
}

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    const size_t most = measure_most(1);
    if (bench_pes < 2 || bench_pes > SEGMENTS_PES_MOST) {
        if (bench_me == 0) fprintf(stderr, "segments: needs 2 to %d PEs\n", SEGMENTS_PES_MOST);
        shmem_global_exit(2);
    }
    struct measurement m = {.who = who_all, .together = true, .source = measure_buffer(most)};
    make_segments(most);
    measure_as(m, "");
    if (measure_wanted("queues"))
        m.name = "queues", m.loop = loop_queues, m.verify = verify_queues, m.divisor = bench_pes - 1,
        measure_sizes(m, 8, BENCH_BYTES_MAX / message_most);
    m.divisor = 0;
    m.who = who_first;
    measure_as(m, "one_");
    shmem_barrier_all();
    failures += aos_finalize() != AOS_SUCCESS;
    if (failures) fprintf(stderr, "segments: PE %d: %ld calls failed\n", bench_me, failures);
    measure_end();
    return failures != 0;
}

#else

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    measure_skip("segments", "has no segments");
    shmem_finalize();
    return 0;
}

#endif
