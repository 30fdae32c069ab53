// SPDX-License-Identifier: BSD-3-Clause
// What the PEs do in the experiments of seed S3, section 6, a PE standing for a compute cluster: table 1 (neighbour puts), figures 2
// and 3 (gets and puts on memory that no PE owns, in one piece and in two, and on one PE's), figure 4 (atomics), table 2 (a master
// and its workers, tied by queues). s3.c times them on this machine, chip/aos_s3.c on a chip, where data are as large as they may be.
#ifndef SKERRY_BENCH_S3_H
#define SKERRY_BENCH_S3_H

#include <aos.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef S3_PES_MOST
#define S3_PES_MOST 64
#endif

enum {
    neighbour_id = 1000, // and the rank of the PE whose it is, as the next three
    word_id = 2000,
    job_id = 3000,
    memory_id = 4000, // a piece that no PE owns; and the next
    pe_memory_id = 4002,
    answer_id = 4003,
    message_most = 248,
    in_flight = 16 // transfers of a PE that are waited for together
};

static int s3_me, s3_pes;
static long failures;

static void must(int outcomes) {
    failures += outcomes != AOS_SUCCESS;
}

static int right_of(int pe) {
    return pe + 1 < s3_pes ? pe + 1 : 0;
}

static void s3_begin(void) {
    must(aos_init(0));
    s3_me = aos_my_pe();
    s3_pes = aos_pe_count();
}

// -- Table 1 ------------------------------------------------------------------------------------------------------------

static aos_segment_t own_piece, right_piece;

static void make_pieces(void *piece, size_t bytes) {
    must(aos_segment_create(&own_piece, neighbour_id + (uint64_t)s3_me, piece, bytes, NULL));
    must(aos_segment_clone(&right_piece, neighbour_id + (uint64_t)right_of(s3_me), 0));
}

static void put_pieces(const aos_segment_t *there, const void *source, size_t bytes, long count) {
    aos_event_t event;
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) outcomes |= aos_put(source, there, 0, bytes, &event);
    must(outcomes | aos_event_wait(&event) | aos_fence(there, NULL));
}

// -- Figures 2 and 3 ----------------------------------------------------------------------------------------------------

static aos_segment_t memories[3]; // two that no PE owns, and the last PE's
static int first_memory, memory_count;

// PE 0 makes those that no PE owns, the last PE its own.
static void make_memories(void *pe_memory, size_t bytes) {
    aos_segment_t made;
    for (int i = 0; s3_me == 0 && i < 2; ++i)
        must(aos_segment_create(&made, memory_id + (uint64_t)i, aos_malloc(bytes), bytes, NULL));
    if (s3_me == s3_pes - 1) must(aos_segment_create(&made, pe_memory_id, pe_memory, bytes, NULL));
    for (int i = 0; i < 3; ++i) must(aos_segment_clone(&memories[i], memory_id + (uint64_t)i, 0));
}

// With two memories a PE takes turns.
static const aos_segment_t *memory_of(long turn) {
    return &memories[first_memory + (memory_count == 1 ? 0 : (turn + s3_me) & 1)];
}

static void fence_memories(void) {
    for (int i = 0; i < memory_count; ++i) must(aos_fence(memory_of(i), NULL));
}

static void put_memory(const void *source, uint64_t place, size_t bytes, long count) {
    aos_event_t events[in_flight];
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) {
        if (i >= in_flight) outcomes |= aos_event_wait(&events[i % in_flight]);
        outcomes |= aos_put(source, memory_of(i), place, bytes, &events[i % in_flight]);
    }
    must(outcomes);
    fence_memories();
}

static void get_memory(void *dest, uint64_t place, size_t bytes, long count) {
    aos_event_t events[in_flight];
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) {
        if (i >= in_flight) outcomes |= aos_event_wait(&events[i % in_flight]);
        outcomes |= aos_get(dest, memory_of(i), place, bytes, &events[i % in_flight]);
    }
    for (long i = 0; i < count && i < in_flight; ++i) outcomes |= aos_event_wait(&events[i]);
    must(outcomes);
}

static void put_memory_blocking(const void *source, uint64_t place, size_t bytes, long count) {
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) {
        outcomes |= aos_put(source, memory_of(i), place, bytes, NULL);
        outcomes |= aos_fence(memory_of(i), NULL);
    }
    must(outcomes);
}

static void get_memory_blocking(void *dest, uint64_t place, size_t bytes, long count) {
    int outcomes = AOS_SUCCESS;
    for (long i = 0; i < count; ++i) outcomes |= aos_get(dest, memory_of(i), place, bytes, NULL);
    must(outcomes);
}

// -- Figure 4 -----------------------------------------------------------------------------------------------------------

static aos_segment_t words[S3_PES_MOST];
static int64_t added; // by this PE

// `word`: two of them; the second, PE 0's, is for what all PEs have added.
static void make_words(int64_t *word) {
    aos_segment_t own;
    must(aos_segment_create(&own, word_id + (uint64_t)s3_me, word, 2 * sizeof *word, NULL));
    for (int pe = 0; pe < s3_pes; ++pe) must(aos_segment_clone(&words[pe], word_id + (uint64_t)pe, 0));
}

// Spread: each next one at the next PE.
static void post_words(bool spread, long count) {
    int outcomes = AOS_SUCCESS, target = spread ? s3_me : s3_pes - 1;
    for (long i = 0; i < count; ++i) {
        outcomes |= aos_postadd(&words[target], 0, 1);
        if (spread) target = right_of(target);
    }
    must(outcomes | aos_fence_all(NULL));
    added += count;
}

static void fetch_words(bool spread, long count) {
    int outcomes = AOS_SUCCESS, target = spread ? s3_me : s3_pes - 1;
    int64_t before;
    for (long i = 0; i < count; ++i) {
        outcomes |= aos_fetchadd(&words[target], 0, 1, &before, NULL);
        if (spread) target = right_of(target);
    }
    must(outcomes);
    added += count;
}

// Every PE before a barrier; then PE 0 looks.
static void tell_added(void) {
    must(aos_postadd(&words[0], 8, added) | aos_fence(&words[0], NULL));
    added = 0;
}

static bool has_all_added(void) {
    int64_t sum = 0, all = 0, one;
    for (int pe = 0; pe < s3_pes; ++pe) {
        must(aos_fetchclear(&words[pe], 0, &one, NULL));
        sum += one;
    }
    must(aos_fetchclear(&words[0], 8, &all, NULL));
    return sum == all;
}

// -- Table 2 ------------------------------------------------------------------------------------------------------------

struct message {
    int32_t worker;
    int32_t number;
    uint8_t more[message_most - 8];
};

static aos_queue_t jobs[S3_PES_MOST], answers;

// PE 0 leads. `memory`: of the queues, or NULL.
static void make_queues(void *memory, uint32_t messages) {
    aos_queue_t own, *place = s3_me == 0 ? &answers : &jobs[s3_me];
    const uint64_t id = s3_me == 0 ? answer_id : job_id + (uint64_t)s3_me;
    must(aos_queue_create(&own, id, message_most, messages, memory, NULL));
    if (s3_me != 0) must(aos_queue_clone(&answers, answer_id, 0));
    for (int pe = 1; s3_me == 0 && pe < s3_pes; ++pe) must(aos_queue_clone(&jobs[pe], job_id + (uint64_t)pe, 0));
    *place = own;
}

static int differs(const struct message *message, size_t bytes, int worker, int32_t number) {
    return message->worker != worker || message->number != number ||
           (bytes > 8 && message->more[bytes - 9] != (uint8_t)number);
}

static int send(aos_queue_t *queue, struct message *message, size_t bytes, int32_t number) {
    message->number = number;
    if (bytes > 8) message->more[bytes - 9] = (uint8_t)number;
    return aos_enqueue(queue, message, bytes);
}

// One message is outstanding to each worker; whoever has answered gets the next, and `count` in all.
static void lead(int workers, size_t bytes, int32_t count) {
    struct message message = {0};
    int32_t numbers[S3_PES_MOST] = {0};
    int outcomes = AOS_SUCCESS;
    for (int worker = 1; worker <= workers; ++worker) {
        message.worker = worker;
        outcomes |= send(&jobs[worker], &message, bytes, 0);
    }
    for (int open = workers; open > 0;) {
        outcomes |= aos_dequeue(&answers, &message, bytes, NULL);
        const int worker = message.worker;
        outcomes |= differs(&message, bytes, worker, numbers[worker]);
        if (++numbers[worker] < count) outcomes |= send(&jobs[worker], &message, bytes, numbers[worker]);
        else --open;
    }
    must(outcomes);
}

static void work(size_t bytes, int32_t count) {
    struct message message;
    int outcomes = AOS_SUCCESS;
    for (int32_t number = 0; number < count; ++number) {
        outcomes |= aos_dequeue(&jobs[s3_me], &message, bytes, NULL);
        outcomes |= differs(&message, bytes, s3_me, number);
        outcomes |= send(&answers, &message, bytes, number);
    }
    must(outcomes);
}

#endif
