// SPDX-License-Identifier: BSD-3-Clause
// The experiments of seed S3, section 6, with a PE in the place of a compute cluster: table 1 (neighbour puts), figures 2 and 3 (gets
// and puts on memory that no PE owns, in one piece and in two, and on one PE's), figure 4 (atomics), table 2 (a master and its
// workers, tied by queues). Names that begin with one_ are of PE 0 alone while PE 1 waits.
#include "measure.h"

#include <stdio.h>
#include <string.h>
#if __has_include(<aos.h>)
#include <aos.h>
#endif

#ifdef AOS_SUCCESS

enum {
    neighbour_id = 1000, // and the rank of the PE whose it is, as the next three
    word_id = 2000,
    job_id = 3000,
    memory_id = 4000, // a piece that no PE owns; and the next
    pe_memory_id = 4002,
    answer_id = 4003,
    pes_most = 64,
    message_most = 248,
    in_flight = 16 // transfers of a PE that are waited for together
};

static long failures;

static void must(int outcomes) {
    failures += outcomes != AOS_SUCCESS;
}

static bool is_alone(const struct measurement *m) {
    return m->who == who_first;
}

static void fill(uint8_t *data, size_t bytes, int pe) {
    for (size_t i = 0; i < bytes; ++i) data[i] = measure_pattern(i, pe);
}

// -- Table 1 ------------------------------------------------------------------------------------------------------------

static aos_segment_t own_piece, right_piece;
static uint8_t *piece;

static void loop_neighbour(const struct measurement *m, long count) {
    const aos_segment_t *there = is_alone(m) ? &own_piece : &right_piece; // alone: a PE to itself
    aos_event_t event;
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) outcomes |= aos_put(m->source, there, 0, m->bytes, &event);
    must(outcomes | aos_event_wait(&event) | aos_fence(there, NULL));
}

static bool verify_neighbour(const struct measurement *m) {
    const int left = is_alone(m) ? 0 : (bench_me + bench_pes - 1) % bench_pes;
    const bool holds = (is_alone(m) && bench_me != 0) || measure_holds(piece, m->bytes, 0, left);
    memset(piece, 0, m->bytes);
    return holds && failures == 0;
}

// -- Figures 2 and 3 ----------------------------------------------------------------------------------------------------

static aos_segment_t memories[3]; // two that no PE owns, and the last PE's
static int first_memory, memory_count;

// Each PE has a place of its own in each memory; with two memories it takes turns.
static const aos_segment_t *memory_of(long turn) {
    return &memories[first_memory + (turn + bench_me) % memory_count];
}

static uint64_t place_in_memory(const struct measurement *m) {
    return (uint64_t)bench_me * m->bytes;
}

static void fence_memories(void) {
    for (int i = 0; i < memory_count; ++i) must(aos_fence(memory_of(i), NULL));
}

static void loop_put(const struct measurement *m, long count) {
    aos_event_t events[in_flight];
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) {
        if (i >= in_flight) outcomes |= aos_event_wait(&events[i % in_flight]);
        outcomes |= aos_put(m->source, memory_of(i), place_in_memory(m), m->bytes, &events[i % in_flight]);
    }
    must(outcomes);
    fence_memories();
}

static void loop_get(const struct measurement *m, long count) {
    aos_event_t events[in_flight];
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) {
        if (i >= in_flight) outcomes |= aos_event_wait(&events[i % in_flight]);
        outcomes |= aos_get(m->source, memory_of(i), place_in_memory(m), m->bytes, &events[i % in_flight]);
    }
    for (long i = 0; i < count && i < in_flight; ++i) outcomes |= aos_event_wait(&events[i]);
    must(outcomes);
}

static void loop_put_blocking(const struct measurement *m, long count) {
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) {
        outcomes |= aos_put(m->source, memory_of(i), place_in_memory(m), m->bytes, NULL);
        outcomes |= aos_fence(memory_of(i), NULL);
    }
    must(outcomes);
}

static void loop_get_blocking(const struct measurement *m, long count) {
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) outcomes |= aos_get(m->source, memory_of(i), place_in_memory(m), m->bytes, NULL);
    must(outcomes);
}

// Whether a turn at each memory puts what it should: a batch may have had one turn only.
static bool verify_put(const struct measurement *m) {
    bool holds = failures == 0;
    if (is_alone(m) && bench_me != 0) return holds;
    for (int i = 0; i < memory_count; ++i) memset(aos_pointer(memory_of(i), place_in_memory(m), m->bytes), 0, m->bytes);
    m->loop(m, memory_count);
    for (int i = 0; i < memory_count; ++i)
        holds &= measure_holds(aos_pointer(memory_of(i), place_in_memory(m), m->bytes), m->bytes, 0, bench_me);
    return holds;
}

// Leaves what the puts to come shall put.
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

// -- Figure 4 -----------------------------------------------------------------------------------------------------------

static aos_segment_t words[pes_most];
static int64_t *word; // and beside it what all PEs have added, PE 0's
static int64_t added;

static int target_of(const struct measurement *m, long turn) {
    return m->divisor > 0 ? (int)((bench_me + turn) % bench_pes) : bench_pes - 1;
}

static void loop_post(const struct measurement *m, long count) {
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) outcomes |= aos_postadd(&words[target_of(m, i)], 0, 1);
    must(outcomes | aos_fence_all(NULL));
    added += count;
}

static void loop_fetch(const struct measurement *m, long count) {
    int outcomes = AOS_SUCCESS;
    int64_t before;
    for (long i = 0; i < count; ++i) outcomes |= aos_fetchadd(&words[target_of(m, i)], 0, 1, &before, NULL);
    must(outcomes);
    added += count;
}

static bool verify_words(const struct measurement *m) {
    (void)m;
    must(aos_postadd(&words[0], 8, added) | aos_fence(&words[0], NULL));
    added = 0;
    shmem_barrier_all();
    int64_t sum = 0, all = 0;
    for (int pe = 0; bench_me == 0 && pe < bench_pes; ++pe) {
        int64_t one;
        must(aos_fetchclear(&words[pe], 0, &one, NULL));
        sum += one;
    }
    if (bench_me == 0) must(aos_fetchclear(&words[0], 8, &all, NULL));
    shmem_barrier_all();
    return sum == all && failures == 0;
}

static void measure_words(struct measurement m, const char *prefix) {
    static char names[4][64];
    m.bytes = 8;
    m.verify = verify_words;
    for (int i = 0; i < 4; ++i) {
        snprintf(names[i], sizeof names[i], "%s%s_%s", prefix, i < 2 ? "post" : "fetch", i % 2 ? "central" : "spread");
        m.name = names[i];
        m.loop = i < 2 ? loop_post : loop_fetch;
        m.divisor = i % 2 ? 0 : 1; // tells spread from central, too
        if (measure_wanted(m.name)) measure(m);
    }
}

// -- Table 2 ------------------------------------------------------------------------------------------------------------

struct message {
    int32_t worker;
    int32_t number;
    uint8_t more[message_most - 8];
};

static aos_queue_t jobs[pes_most], answers;

static int differs(const struct message *message, size_t bytes, int worker, int32_t number) {
    return message->worker != worker || message->number != number ||
           (bytes > 8 && message->more[bytes - 9] != (uint8_t)number);
}

static int send(aos_queue_t *queue, struct message *message, size_t bytes, int32_t number) {
    message->number = number;
    if (bytes > 8) message->more[bytes - 9] = (uint8_t)number;
    return aos_enqueue(queue, message, bytes);
}

// One message is outstanding to each worker; whoever has answered gets the next.
static void lead(size_t bytes, int32_t count) {
    struct message message = {0};
    int32_t numbers[pes_most] = {0};
    int outcomes = AOS_SUCCESS;
    for (int worker = 1; worker < bench_pes; ++worker) {
        message.worker = worker;
        outcomes |= send(&jobs[worker], &message, bytes, 0);
    }
    for (long answered = 0; answered < (long)count * (bench_pes - 1); ++answered) {
        outcomes |= aos_dequeue(&answers, &message, bytes, NULL);
        const int worker = message.worker;
        outcomes |= differs(&message, bytes, worker, numbers[worker]);
        if (++numbers[worker] < count) outcomes |= send(&jobs[worker], &message, bytes, numbers[worker]);
    }
    must(outcomes);
}

static void work(size_t bytes, int32_t count) {
    struct message message;
    int outcomes = AOS_SUCCESS;
    for (int32_t number = 0; number < count; ++number) {
        outcomes |= aos_dequeue(&jobs[bench_me], &message, bytes, NULL);
        outcomes |= differs(&message, bytes, bench_me, number);
        outcomes |= send(&answers, &message, bytes, number);
    }
    must(outcomes);
}

static void loop_queues(const struct measurement *m, long count) {
    if (bench_me == 0) lead(m->bytes, (int32_t)count);
    else work(m->bytes, (int32_t)count);
}

static bool verify_queues(const struct measurement *m) {
    (void)m;
    return failures == 0;
}

// -----------------------------------------------------------------------------------------------------------------------

static void clone_queues(void) {
    aos_queue_t own, *place = bench_me == 0 ? &answers : &jobs[bench_me];
    const uint64_t id = bench_me == 0 ? answer_id : job_id + (uint64_t)bench_me;
    must(aos_queue_create(&own, id, message_most, pes_most, NULL, NULL));
    if (bench_me != 0) must(aos_queue_clone(&answers, answer_id, 0));
    for (int pe = 1; bench_me == 0 && pe < bench_pes; ++pe) must(aos_queue_clone(&jobs[pe], job_id + (uint64_t)pe, 0));
    *place = own;
}

// PE 0 makes those that no PE owns, the last PE its own.
static void make_memories(size_t bytes) {
    aos_segment_t made;
    void *own = shmem_malloc(bytes); // on every PE, as it must be; only the last one's is used
    for (int i = 0; bench_me == 0 && i < 2; ++i)
        must(aos_segment_create(&made, memory_id + (uint64_t)i, aos_malloc(bytes), bytes, NULL));
    if (bench_me == bench_pes - 1) must(aos_segment_create(&made, pe_memory_id, own, bytes, NULL));
    for (int i = 0; i < 3; ++i) must(aos_segment_clone(&memories[i], memory_id + (uint64_t)i, 0));
}

static void make_segments(size_t most) {
    aos_segment_t own;
    piece = measure_buffer(most);
    memset(piece, 0, most);
    word = measure_buffer(64);
    word[0] = word[1] = 0;
    must(aos_init(0));
    must(aos_segment_create(&own_piece, neighbour_id + (uint64_t)bench_me, piece, most, NULL));
    must(aos_segment_clone(&right_piece, neighbour_id + (uint64_t)((bench_me + 1) % bench_pes), 0));
    must(aos_segment_create(&own, word_id + (uint64_t)bench_me, word, 64, NULL));
    for (int pe = 0; pe < bench_pes; ++pe) must(aos_segment_clone(&words[pe], word_id + (uint64_t)pe, 0));
    make_memories(measure_most((size_t)bench_pes));
    clone_queues();
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
    if (bench_pes < 2 || bench_pes > pes_most) {
        if (bench_me == 0) fprintf(stderr, "s3: needs 2 to %d PEs\n", pes_most);
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
    if (failures) fprintf(stderr, "s3: PE %d: %ld calls failed\n", bench_me, failures);
    measure_end();
    return failures != 0;
}

#else

int main(int argument_count, char **arguments) {
    measure_start(argument_count, arguments);
    measure_skip("s3", "has no segments");
    shmem_finalize();
    return 0;
}

#endif
