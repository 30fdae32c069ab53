// SPDX-License-Identifier: BSD-3-Clause
// Measures table 2 of Hascoet et al. (2017) by queues of segments: a master (PE 0, in the place of the paper's I/O node) has
// one message outstanding to each worker, and all workers answer to one queue. The figure is the master's cycles for each
// answer. Then each worker sends a stream of messages to this queue. mppa_queue.c measures the same without the library.
#include "mppa.h"

#include <aos.h>
#include <string.h>

#define MESSAGE_MOST 248
#define MESSAGES 64         // of a worker's queue
#define MESSAGES_OF_ALL 256 // of the master's queue: enough for many credits of each worker
#define TIMES 100
#define ANSWERS 1u // number of the master's queue; JOBS + pe: the queue of PE pe
#define JOBS 2u

union message {
    struct {
        uint32_t worker, number;
    };
    uint8_t bytes[MESSAGE_MOST];
    double aligned;
};

static aos_queue_t answers, own, jobs[CLUSTERS];
static _Alignas(AOS_QUEUE_ALIGNMENT) uint8_t memory[MESSAGES_OF_ALL * (MESSAGE_MOST + 8) + 1024]; // of `answers`

static void must_succeed(int error, const char *what) {
    must_hold(error == AOS_SUCCESS, what);
}

static void set_up(int me, int pes) {
    must_hold(aos_queue_bytes(MESSAGE_MOST, MESSAGES_OF_ALL) <= sizeof memory, "aos_queue_bytes");
    if (me == 0)
        must_succeed(aos_queue_create(&answers, ANSWERS, MESSAGE_MOST, MESSAGES_OF_ALL, memory, NULL),
                     "aos_queue_create");
    else must_succeed(aos_queue_clone(&answers, ANSWERS, 0), "aos_queue_clone");
    must_succeed(aos_queue_create(&own, JOBS + (uint64_t)me, MESSAGE_MOST, MESSAGES, NULL, NULL), "aos_queue_create");
    for (int pe = 0; pe < pes; pe++)
        must_succeed(aos_queue_clone(&jobs[pe], JOBS + (uint64_t)pe, 0), "aos_queue_clone");
}

static void send(aos_queue_t *queue, union message *message, size_t bytes, uint32_t worker, uint32_t number) {
    message->worker = worker;
    message->number = number;
    message->bytes[bytes - 1] = (uint8_t)(number + worker);
    must_succeed(aos_enqueue(queue, message, bytes), "aos_enqueue");
}

static void receive(aos_queue_t *queue, union message *message, size_t bytes) {
    must_succeed(aos_dequeue(queue, message, sizeof *message, NULL), "aos_dequeue");
    must_hold(message->bytes[bytes - 1] == (uint8_t)(message->number + message->worker), "message");
}

static void lead(int workers, size_t bytes) {
    static union message message;
    for (int worker = 1; worker <= workers; worker++) send(&jobs[worker], &message, bytes, (uint32_t)worker, 0);
    for (int left = workers * TIMES; left > 0; left--) {
        receive(&answers, &message, bytes);
        const uint32_t worker = message.worker, next = message.number + 1;
        if (next < TIMES) send(&jobs[worker], &message, bytes, worker, next);
    }
}

static void work(size_t bytes) {
    static union message message;
    for (uint32_t number = 0; number < TIMES; number++) {
        receive(&own, &message, bytes);
        must_hold(message.number == number, "number");
        send(&answers, &message, bytes, message.worker, number);
    }
}

static void collect(int workers, size_t bytes) {
    static union message message;
    uint32_t next[CLUSTERS] = {0};
    for (int left = workers * TIMES; left > 0; left--) {
        receive(&answers, &message, bytes);
        must_hold(message.number == next[message.worker % CLUSTERS]++, "order");
    }
}

static void stream(uint32_t worker, size_t bytes) {
    static union message message;
    for (uint32_t number = 0; number < TIMES; number++) send(&answers, &message, bytes, worker, number);
}

static void tell_messages(const char *name, int workers, size_t bytes, uint32_t cycles) {
    if (shmem_my_pe() == 0) tell_one(name, workers, bytes, cycles / (uint32_t)(workers * TIMES));
}

int main(void) {
    static const uint16_t sizes[] = {16, 32, 64, 128, MESSAGE_MOST};
    static const int counts[] = {1, 2, 4, 8, 15};
    shmem_init();
    must_succeed(aos_init(0), "aos_init");
    const int me = shmem_my_pe();
    set_up(me, shmem_n_pes());
    for (unsigned c = 0; c < 5; c++)
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            shmem_barrier_all();
            uint32_t begin = now();
            if (me == 0) lead(counts[c], sizes[i]);
            else if (me <= counts[c]) work(sizes[i]);
            tell_messages("segment_queue", counts[c], sizes[i], now() - begin);
            shmem_barrier_all();
            begin = now();
            if (me == 0) collect(counts[c], sizes[i]);
            else if (me <= counts[c]) stream((uint32_t)me, sizes[i]);
            tell_messages("segment_stream", counts[c], sizes[i], now() - begin);
        }
    must_succeed(aos_finalize(), "aos_finalize");
    shmem_finalize();
    return 0;
}
