// SPDX-License-Identifier: BSD-3-Clause
// Measures table 2 of Hascoet et al. (2017) by the DMA unit's registers: a master (PE 0, in the place of the paper's I/O
// node) has one message outstanding to each worker, and all workers answer to one queue. A queue is an Rx tag whose window is
// a ring of slots. Messages of up to 64 bytes are packets that a core builds; a micro-core sends larger ones, each as one
// packet. The figure is the master's cycles for each answer.
#include "mppa.h"
#include "mppa_registers.h"

#include <string.h>

#define SLOT 256
#define SLOTS 32 // more than messages that are under way to one queue
#define TAG 210u
#define HEADERS 96u // HEADERS + pe: to the queue of PE pe
#define SHAPER 7u   // sends packets of any size
#define PROGRAM 112u
#define BY_CORE 64 // bytes
#define TIMES 50

static uint8_t ring[SLOTS * SLOT] __attribute__((aligned(8)));
static uint16_t taken;

union message {
    struct {
        uint32_t worker, number;
    };
    uint8_t bytes[SLOT];
    double aligned;
};

// Returns the route with the fewest links: first along the row, then along the column. It uses a link from the last row or
// column to the first one, or back, only if this is the only link in its direction. Such routes cannot deadlock.
static uint32_t route_to(uint32_t from, uint32_t to) {
    enum { NORTH = 1, EAST = 2, SOUTH = 3, WEST = 4 };
    uint32_t route = 0;
    unsigned hops = 0;
    for (unsigned dimension = 0; dimension < 2; dimension++) {
        const int a = (int)(dimension ? from / 4 : from % 4), b = (int)(dimension ? to / 4 : to % 4);
        const int wraps = b - a == 3 || a - b == 3, forward = (b > a) != wraps;
        const uint32_t direction = dimension ? (forward ? SOUTH : NORTH) : (forward ? EAST : WEST);
        for (int left = wraps ? 1 : b > a ? b - a : a - b; left > 0; left--) route |= direction << 3 * hops++;
    }
    return route;
}

static void set_up(int me, int pes) {
    set_instruction(PROGRAM, SET_COUNTER | 1u << 18, 0);
    set_instruction(PROGRAM + 1, SET_POINTER | SKIP | (PROGRAM + 3) << 22, 0);
    set_instruction(PROGRAM + 2, READ_8 | ADD_NUMBER | LOOP | (PROGRAM + 2) << 22, 8);
    set_instruction(PROGRAM + 3, END, 0);
    set_instruction(PROGRAM + 4, STOP, 0);
    SHAPER_PAYLOAD(SHAPER) = 62;
    TAG_ADDRESS(TAG) = (uint32_t)(uintptr_t)ring;
    TAG_MODE(TAG) = MODE_RING | (uint32_t)SLOT << 16;
    TAG_SIZE(TAG) = sizeof ring;
    for (uint32_t pe = 0; pe < (uint32_t)pes; pe++) {
        HEADER_ROUTE(HEADERS + pe) = route_to((uint32_t)me, pe);
        HEADER_TARGET(HEADERS + pe) = HEADER_VALID | SHAPER << 8 | TAG;
    }
}

static void send(uint32_t pe, const union message *message, size_t bytes) {
    const volatile double *from = (const volatile double *)(const void *)message;
    if (bytes <= BY_CORE) {
        volatile double *push = PUSH, *end = SEND_END(HEADERS + pe);
        const size_t last = bytes / 8 - 1;
        for (size_t i = 0; i < last; i++) push[i] = from[i];
        end[last] = from[last];
    } else {
        PARAMETER(0) = (uint32_t)(uintptr_t)message;
        PARAMETER(1) = (uint32_t)bytes / 8;
        START(0) = PROGRAM | (HEADERS + pe) << 8;
    }
}

// Waits for the next message of the own queue and copies it.
static void receive(union message *message, size_t bytes) {
    while ((uint16_t)TAG_TRANSFERS(TAG) == taken) continue;
    const double *from = (const double *)(const void *)(ring + taken % SLOTS * SLOT);
    double *to = (double *)(void *)message;
    __asm__ volatile("" ::: "memory");
    for (size_t i = 0; i < bytes / 8; i++) to[i] = from[i];
    taken++;
}

static void mark(union message *message, size_t bytes, uint32_t worker, uint32_t number) {
    message->worker = worker;
    message->number = number;
    message->bytes[bytes - 1] = (uint8_t)(number + worker);
}

static bool is_marked(const union message *message, size_t bytes, uint32_t worker, uint32_t number) {
    return message->worker == worker && message->number == number &&
           message->bytes[bytes - 1] == (uint8_t)(number + worker);
}

// A micro-core reads a message after send() has returned. So each worker has a message of its own, which changes only when
// the worker has answered it.
static bool lead(int workers, size_t bytes) {
    static union message jobs[CLUSTERS], answer;
    bool holds = true;
    for (int worker = 1; worker <= workers; worker++) {
        mark(&jobs[worker], bytes, (uint32_t)worker, 0);
        send((uint32_t)worker, &jobs[worker], bytes);
    }
    for (int left = workers * TIMES; left > 0; left--) {
        receive(&answer, bytes);
        union message *job = &jobs[answer.worker % CLUSTERS];
        holds &= is_marked(&answer, bytes, job->worker, job->number);
        if (job->number + 1 == TIMES) continue;
        mark(job, bytes, job->worker, job->number + 1);
        send(job->worker, job, bytes);
    }
    return holds;
}

static bool work(uint32_t me, size_t bytes) {
    static union message messages[2]; // the micro-core may still read the last one
    bool holds = true;
    for (uint32_t number = 0; number < TIMES; number++) {
        union message *message = &messages[number % 2];
        receive(message, bytes);
        holds &= is_marked(message, bytes, me, number);
        send(0, message, bytes);
    }
    return holds;
}

int main(void) {
    static const uint16_t sizes[] = {16, 32, 64, 128, 248};
    static const int counts[] = {1, 2, 4, 8, 15};
    shmem_init();
    const int me = shmem_my_pe();
    set_up(me, shmem_n_pes());
    for (unsigned c = 0; c < 5; c++)
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            bool holds = true;
            shmem_barrier_all();
            const uint32_t begin = now();
            if (me == 0) holds = lead(counts[c], sizes[i]);
            else if (me <= counts[c]) holds = work((uint32_t)me, sizes[i]);
            const uint32_t cycles = now() - begin;
            must_hold(holds, "queue");
            shmem_barrier_all();
            if (me == 0) tell_one("queue", counts[c], sizes[i], cycles / (uint32_t)(counts[c] * TIMES));
        }
    shmem_finalize();
    return 0;
}
