// SPDX-License-Identifier: BSD-3-Clause
// Defines the operations that are timed for two experiments of Hascoet et al. (2017): figure 4 (atomics), and table 2
// (queues between a PE that sends jobs, the master, and PEs that answer, the workers).
#ifndef SKERRY_BENCH_SEGMENTS_WORDS_H
#define SKERRY_BENCH_SEGMENTS_WORDS_H

#include "segments.h"

enum { message_most = 248 }; // size of the largest message in bytes

// -- Figure 4 ----------------------------------------------------------------------------------------------------------

static aos_segment_t words[SEGMENTS_PES_MOST];
static int64_t added; // number of additions by this PE since the last check

// Makes a segment of the two words at `word` on each PE, and clones the segments of all PEs. PE 0's second word
// receives the number of additions by all PEs.
static void make_words(int64_t *word) {
    aos_segment_t own;
    must(aos_segment_create(&own, word_id + (uint64_t)segments_me, word, 2 * sizeof *word, NULL));
    for (int pe = 0; pe < segments_pes; ++pe) must(aos_segment_clone(&words[pe], word_id + (uint64_t)pe, 0));
}

// Posts `count` additions of 1. If `spread` is true, the first addition goes to this PE and each further addition to
// the next PE. If not, all additions go to the last PE. The additions are complete only after a later call of
// aos_fence_all.
static void post_words(bool spread, long count) {
    int outcomes = AOS_SUCCESS, target = spread ? segments_me : segments_pes - 1;
    for (long i = 0; i < count; ++i) {
        outcomes |= aos_postadd(&words[target], 0, 1);
        if (spread) target = right_of(target);
    }
    must(outcomes);
    added += count;
}

static void fetch_words(bool spread, long count) {
    int outcomes = AOS_SUCCESS, target = spread ? segments_me : segments_pes - 1;
    int64_t before;
    for (long i = 0; i < count; ++i) {
        outcomes |= aos_fetchadd(&words[target], 0, 1, &before, NULL);
        if (spread) target = right_of(target);
    }
    must(outcomes);
    added += count;
}

// Adds the number of additions that this PE has made to PE 0's second word, and completes this addition. Every PE calls
// this function before a barrier. After the barrier PE 0 calls has_all_added.
static void tell_added(void) {
    must(aos_postadd(&words[0], 8, added) | aos_fence_all(NULL));
    added = 0;
}

static bool has_all_added(void) {
    int64_t sum = 0, all = 0, one;
    for (int pe = 0; pe < segments_pes; ++pe) {
        must(aos_fetchclear(&words[pe], 0, &one, NULL));
        sum += one;
    }
    must(aos_fetchclear(&words[0], 8, &all, NULL));
    return sum == all;
}

// -- Table 2 -----------------------------------------------------------------------------------------------------------

struct message {
    int32_t worker;
    int32_t number;
    uint8_t more[message_most - 8];
};

static aos_queue_t jobs[SEGMENTS_PES_MOST], answers;

// Makes a queue on each PE, in `memory` if `memory` is not NULL. PE 0 is the master, and its queue receives the
// answers. The queue of every other PE receives jobs.
static void make_queues(void *memory, uint32_t messages) {
    aos_queue_t own, *place = segments_me == 0 ? &answers : &jobs[segments_me];
    const uint64_t id = segments_me == 0 ? answer_id : job_id + (uint64_t)segments_me;
    must(aos_queue_create(&own, id, message_most, messages, memory, NULL));
    if (segments_me != 0) must(aos_queue_clone(&answers, answer_id, 0));
    for (int pe = 1; segments_me == 0 && pe < segments_pes; ++pe)
        must(aos_queue_clone(&jobs[pe], job_id + (uint64_t)pe, 0));
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

// Runs the master, PE 0. Sends each worker one message, and the next message when the worker has answered. Each worker
// gets `count` messages in all.
static void lead(int workers, size_t bytes, int32_t count) {
    struct message message = {0};
    int32_t numbers[SEGMENTS_PES_MOST] = {0};
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
        outcomes |= aos_dequeue(&jobs[segments_me], &message, bytes, NULL);
        outcomes |= differs(&message, bytes, segments_me, number);
        outcomes |= send(&answers, &message, bytes, number);
    }
    must(outcomes);
}

#endif
