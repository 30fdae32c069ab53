// SPDX-License-Identifier: BSD-3-Clause
// Measures the settings that keep the sender and the reader of a queue from taking cache lines from each other. Two
// threads on two processors send and receive messages of 16 bytes by a queue of this process. Two settings are tried,
// one after the other:
// * how many lines ahead the sender prefetches;
// * how long a reader that has found the queue empty waits before it reads the queue's memory again.
#define _GNU_SOURCE
#include <aos.h>
#include <pthread.h>
#include <sched.h>

#include "../../src/machine/linux/pe/internal.h"
#include "tune.h"

#define QUEUE_ID 1
#define CAPACITY 1024
#define STREAM 2048 // messages of a batch
#define BATCHES 4

static aos_queue_t queue;
static uint32_t batch_wanted, batch_sent; // batch numbers; UINT32_MAX in batch_wanted ends the sender

// -- The stream --------------------------------------------------------------------------------------------------------

static void *send_streams(void *unused) {
    int64_t message[2] = {0, 0};
    (void)unused;
    for (uint32_t batch = 1;; batch++) {
        uint32_t wanted;
        for (unsigned polls = 0; (wanted = __atomic_load_n(&batch_wanted, __ATOMIC_ACQUIRE)) < batch;)
            if (++polls % 1000 == 0) sched_yield();
        if (wanted == UINT32_MAX) return NULL;
        for (int i = 0; i < STREAM; i++) aos_enqueue(&queue, message, sizeof message);
        __atomic_store_n(&batch_sent, batch, __ATOMIC_RELEASE);
    }
}

// Receives a batch. Returns the nanoseconds for one message.
static double receive_stream(void) {
    int64_t message[2];
    uint32_t batch = batch_wanted + 1;
    double began = tune_now();
    __atomic_store_n(&batch_wanted, batch, __ATOMIC_RELEASE);
    for (int i = 0; i < STREAM; i++) aos_dequeue(&queue, message, sizeof message, NULL);
    double took = tune_now() - began;
    while (__atomic_load_n(&batch_sent, __ATOMIC_ACQUIRE) != batch) sched_yield();
    return took / STREAM;
}

static void use_moments_back(uint32_t moments) {
    skerry_facts.stream_moments_back = (uint16_t)moments;
}

static void use_lines_ahead(uint32_t lines) {
    skerry_facts.stream_lines_ahead = (uint16_t)lines;
}

static void try_all(struct skerry_tuning *tuning) {
    static const uint32_t back[] = {64, 0, 16, 32, 128, 256}, ahead[] = {4, 0, 2, 8};
    receive_stream(); // not measured: touches the queue's pages for the first time
    tune_choose((struct tune_choice){.name = "moments back",
                                     .setting = &tuning->queue_moments_back,
                                     .candidates = back,
                                     .count = sizeof back / sizeof *back,
                                     .batches = BATCHES,
                                     .use = use_moments_back,
                                     .measure = receive_stream,
                                     .unit = "ns for a message of a stream"});
    tune_choose((struct tune_choice){.name = "lines ahead",
                                     .setting = &tuning->queue_lines_ahead,
                                     .candidates = ahead,
                                     .count = sizeof ahead / sizeof *ahead,
                                     .batches = BATCHES,
                                     .use = use_lines_ahead,
                                     .measure = receive_stream,
                                     .unit = "ns for a message of a stream"});
}

void tune_queues(struct skerry_tuning *tuning) {
    pthread_t sender;
    skerry_facts.stream_moments_back = (uint16_t)tuning->queue_moments_back;
    skerry_facts.stream_lines_ahead = (uint16_t)tuning->queue_lines_ahead;
    bool usable = aos_queue_create(&queue, QUEUE_ID, 16, CAPACITY, NULL, NULL) == AOS_SUCCESS;
    if (usable && pthread_create(&sender, NULL, send_streams, NULL) == 0) {
        tune_pin(sender);
        try_all(tuning);
        __atomic_store_n(&batch_wanted, UINT32_MAX, __ATOMIC_RELEASE);
        pthread_join(sender, NULL);
        tune_unpin();
    }
}
