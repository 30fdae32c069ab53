// SPDX-License-Identifier: BSD-3-Clause
// How the two ends of a stream of messages keep out of each other's way: two threads on two processors, a queue of this process's own,
// messages of 16 bytes. How many lines ahead the sender fetches, and for how long the reader stands back, is tried one after the other.
#define _GNU_SOURCE
#include <aos.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"
#include "tune.h"

#define QUEUE_ID 1
#define CAPACITY 1024
#define STREAM 2048 // messages of a batch
#define BATCHES 4
#define WORTH_IT 0.1

static aos_queue_t queue;
static uint32_t batch_wanted, batch_sent; // numbers; UINT32_MAX: no more

// -- Two processors ------------------------------------------------------------------------------------------------------

// Whether `other` is a hardware thread of the same core as `cpu`: named in the list "0,64" or "0-1".
static bool shares_core(int cpu, int other) {
    char path[96], text[256] = "";
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    char *read = fgets(text, sizeof text, file);
    fclose(file);
    for (char *at = read; at && *at;) {
        char *end;
        long from = strtol(at, &end, 10), to = from;
        if (end == at) return false;
        if (*end == '-') to = strtol(end + 1, &end, 10);
        if (from <= other && other <= to) return true;
        at = *end == ',' ? end + 1 : NULL;
    }
    return false;
}

// Two allowed processors on different cores. Returns false if there are none.
static bool find_two(int *first, int *second) {
    cpu_set_t allowed;
    *first = *second = -1;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
    for (int cpu = 0; cpu < CPU_SETSIZE && *second < 0; cpu++) {
        if (!CPU_ISSET((size_t)cpu, &allowed)) continue;
        if (*first < 0) *first = cpu;
        else if (!shares_core(*first, cpu)) *second = cpu;
    }
    return *second >= 0;
}

static void pin(pthread_t thread, int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    pthread_setaffinity_np(thread, sizeof one, &one);
}

// -- The stream ----------------------------------------------------------------------------------------------------------

static void *send_streams(void *unused) {
    int64_t message[2] = {0, 0};
    (void)unused;
    for (uint32_t batch = 1;; batch++) {
        uint32_t wanted;
        for (unsigned looks = 0; (wanted = __atomic_load_n(&batch_wanted, __ATOMIC_ACQUIRE)) < batch;)
            if (++looks % 1000 == 0) sched_yield();
        if (wanted == UINT32_MAX) return NULL;
        for (int i = 0; i < STREAM; i++) aos_enqueue(&queue, message, sizeof message);
        __atomic_store_n(&batch_sent, batch, __ATOMIC_RELEASE);
    }
}

// Nanoseconds of a message.
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

static void try_candidates(const char *name, uint16_t *setting, const uint16_t *candidates, int count) {
    double best[8];
    int chosen = 0, guessed = 0;
    for (int i = 0; i < count; i++) {
        best[i] = INFINITY;
        if (candidates[i] == *setting) guessed = i;
    }
    for (int batch = 0; batch < BATCHES; batch++)
        for (int i = 0; i < count && !tune_is_late(); i++) {
            *setting = candidates[i];
            best[i] = fmin(best[i], receive_stream());
        }
    *setting = candidates[guessed];
    if (tune_is_late()) return;
    for (int i = 0; i < count; i++) {
        tune_remark("%s %u: %.1f ns a message of a stream", name, candidates[i], best[i]);
        if (best[i] < best[chosen]) chosen = i;
    }
    if (log(best[guessed] / best[chosen]) < WORTH_IT) chosen = guessed;
    *setting = candidates[chosen];
}

static void try_all(struct skerry_tuning *tuning) {
    static const uint16_t back[] = {64, 0, 16, 32, 128, 256}, ahead[] = {4, 0, 2, 8};
    receive_stream(); // the pages of the queue are there
    try_candidates("moments back", &skerry_facts.stream_moments_back, back, sizeof back / sizeof *back);
    try_candidates("lines ahead", &skerry_facts.stream_lines_ahead, ahead, sizeof ahead / sizeof *ahead);
    tuning->queue_moments_back = skerry_facts.stream_moments_back;
    tuning->queue_lines_ahead = skerry_facts.stream_lines_ahead;
}

void tune_queues(struct skerry_tuning *tuning) {
    int first, second;
    pthread_t sender;
    if (!find_two(&first, &second) || aos_init(0) != AOS_SUCCESS) return;
    skerry_facts.stream_moments_back = (uint16_t)tuning->queue_moments_back;
    skerry_facts.stream_lines_ahead = (uint16_t)tuning->queue_lines_ahead;
    cpu_set_t before;
    sched_getaffinity(0, sizeof before, &before);
    bool usable = aos_queue_create(&queue, QUEUE_ID, 16, CAPACITY, NULL, NULL) == AOS_SUCCESS;
    if (usable && pthread_create(&sender, NULL, send_streams, NULL) == 0) {
        pin(pthread_self(), first);
        pin(sender, second);
        try_all(tuning);
        __atomic_store_n(&batch_wanted, UINT32_MAX, __ATOMIC_RELEASE);
        pthread_join(sender, NULL);
        sched_setaffinity(0, sizeof before, &before);
    }
    aos_finalize();
}
