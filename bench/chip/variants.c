// SPDX-License-Identifier: BSD-3-Clause
// Measures the variants of OpenMP constructs that Tendulkar et al. (2011) compare, with 1 to 4 cores. Runs on the
// simulated machines sarc, which imitate the hardware of that article: counters, queues and messages
// (docs/design/events.md). The variants are written by hand for this hardware, and for a memory of mutexes, which serves
// one access at a time. The OpenMP runtime only starts the cores. Each variant runs twice: the first run is a warm-up, and the time of the second run is printed. The line is
// "result NAME CORES 0 CYCLES". The 0 stands in the place of the bytes, because a construct has no size (README.md).
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define TIMES 96 // a multiple of 1 to 4
#define TASKS 64
#define CORES_MAX 4
#define MUTEXES 0x40000000u // address of the memory of mutexes
#define THINK 250           // cycles in a critical section, in which the other cores' requests arrive

enum { WRITE, ENQUEUE, DEQUEUE }; // kinds of messages
enum { PLAIN, COMMAND, COUNTER, SINGLE_READER, MULTIPLE_READER };
// Numbers of the lines that this program uses on each core. A line is 32 bytes of a core's event unit
// (docs/design/events.md). The first number is 32, because the OpenMP runtime uses lines from 0 on for its commands and counters,
// in this program at most 28 lines.
enum {
    MESSAGE = 32, // command lines, each with a line of data behind it
    REQUEST = 34,
    TOKEN = 36,
    ARRIVALS = 38, // counter of a barrier
    ENDS = 39,     // counter of threads or tasks that have ended
    FLAGS = 40,    // plain
    SLOTS = 41,    // plain: a word for each core
    BOX = 42,      // plain: a descriptor
    SINGLE = 44,   // queue of 16 items
    MULTIPLE = 64, // queue of 32 items
    LOCK = 100     // queue with a token
};
enum { FLAG, ANSWER, BARRIER_FLAG }; // words of the line FLAGS

typedef volatile uint32_t line[8];
typedef void function(void);

static uint32_t bases[CORES_MAX]; // addresses of the cores' memories
static int word;

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}

static inline volatile uint32_t *line_of(int core, int number) {
    return (volatile uint32_t *)(uintptr_t)(bases[core] | (0xe0000u + 32u * (uint32_t)number));
}

// A core's number, the number of cores, and the addresses of the lines that the core uses often. Each core has a copy
// in its own memory.
struct core {
    int number, cores;
    volatile uint32_t *message, *request, *token, *flags, *slots, *box, *single;
    volatile uint32_t *master_ends, *master_slots;
};

static void set_tag(int number, uint32_t kind, uint32_t items) {
    *(volatile uint32_t *)(uintptr_t)(0xe8000u + 4u * (uint32_t)number) = kind | items << 8;
}

static void aim(volatile uint32_t *command, volatile uint32_t *to, volatile uint32_t *answer) {
    command[0] = (uint32_t)(uintptr_t)to;
    command[1] = (uint32_t)(uintptr_t)answer;
}

static inline void go(volatile uint32_t *command, uint32_t bytes, uint32_t kind) {
    command[2] = bytes | kind << 8;
}

static inline void fence(void) {
    __asm__ volatile("fence rw, rw" ::: "memory");
}

static void think(uint32_t cycles) {
    for (const uint32_t start = now(); now() - start < cycles;) {
    }
}

static void nothing(void) {
}

static struct core set_up(void) {
    struct core c = {.number = omp_get_thread_num(), .cores = omp_get_num_threads()};
    bases[c.number] = (uint32_t)(uintptr_t)&c & ~UINT32_C(0xfffff);
#pragma omp barrier
    set_tag(SINGLE, SINGLE_READER, 16);
    set_tag(MULTIPLE, MULTIPLE_READER, 32);
    set_tag(LOCK, MULTIPLE_READER, 8);
    set_tag(ARRIVALS, COUNTER, 0);
    set_tag(ENDS, COUNTER, 0);
    set_tag(FLAGS, PLAIN, 0);
    set_tag(SLOTS, PLAIN, 0);
    set_tag(BOX, PLAIN, 0);
    for (int i = MESSAGE; i <= TOKEN; i += 2) {
        set_tag(i, COMMAND, 0);
        set_tag(i + 1, PLAIN, 0);
    }
    c.message = line_of(c.number, MESSAGE);
    c.request = line_of(c.number, REQUEST);
    c.token = line_of(c.number, TOKEN);
    c.flags = line_of(c.number, FLAGS);
    c.slots = line_of(c.number, SLOTS);
    c.box = line_of(c.number, BOX);
    c.single = line_of(c.number, SINGLE);
    c.master_ends = line_of(0, ENDS);
    c.master_slots = line_of(0, SLOTS);
    c.message[8] = 1; // the word of its data
    c.token[8] = 1;
    aim(c.message, line_of(0, ARRIVALS), 0);
    aim(c.request, line_of(0, LOCK), &c.flags[ANSWER]);
    aim(c.token, line_of(0, LOCK), 0);
    if (c.number == 0) {
        volatile uint32_t *arrivals = line_of(0, ARRIVALS);
        arrivals[1] = arrivals[7] = 0u - (uint32_t)c.cores;
        arrivals[2] = 1;
        for (int i = 0; i < c.cores; i++) arrivals[3 + i] = (uint32_t)(uintptr_t)&line_of(i, FLAGS)[BARRIER_FLAG];
        go(c.token, 4, ENQUEUE);
    }
    fence();
#pragma omp barrier
    return c;
}

// -- Barrier, for ------------------------------------------------------------------------------------------------------

static inline void barrier_by_counter(const struct core *c) {
    go(c->message, 4, WRITE);
    while (!c->flags[BARRIER_FLAG]) {
    }
    c->flags[BARRIER_FLAG] = 0;
}

static uint32_t barrier_counter(const struct core *c) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) barrier_by_counter(c);
    return now() - start;
}

static uint32_t for_counter(const struct core *c) {
    volatile int iterations = c->cores;
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) {
        const int all = iterations, chunk = (all + c->cores - 1) / c->cores;
        const int end = (c->number + 1) * chunk < all ? (c->number + 1) * chunk : all;
        for (int j = c->number * chunk; j < end; j++) __asm__ volatile("");
        barrier_by_counter(c);
    }
    return now() - start;
}

// -- Barrier, for: by a mutex, as in the article: a barrier with a counter and a sense that the last core reverses -------

// Words of the memory of mutexes.
static struct { uint32_t mutex, count, sense; } *const shared = (void *)MUTEXES;

static inline void lock_mutex(void) {
    while (__atomic_exchange_n(&shared->mutex, 1, __ATOMIC_RELAXED) != 0) {
    }
    __asm__ volatile("" ::: "memory");
}

static inline void unlock_mutex(void) {
    *(volatile uint32_t *)&shared->mutex = 0;
}

static inline void barrier_by_mutex(const struct core *c, uint32_t *sense) {
    *sense ^= 1;
    lock_mutex();
    const uint32_t count = ++*(volatile uint32_t *)&shared->count;
    if (count == (uint32_t)c->cores) {
        *(volatile uint32_t *)&shared->count = 0;
        *(volatile uint32_t *)&shared->sense = *sense;
    }
    unlock_mutex();
    while (*(volatile uint32_t *)&shared->sense != *sense) {
    }
}

static uint32_t barrier_mutex(const struct core *c) {
    uint32_t sense = shared->sense;
    barrier_by_counter(c);
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) barrier_by_mutex(c, &sense);
    return now() - start;
}

static uint32_t for_mutex(const struct core *c) {
    uint32_t sense = shared->sense;
    barrier_by_counter(c);
    volatile int iterations = c->cores;
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) {
        const int all = iterations, chunk = (all + c->cores - 1) / c->cores;
        const int end = (c->number + 1) * chunk < all ? (c->number + 1) * chunk : all;
        for (int j = c->number * chunk; j < end; j++) __asm__ volatile("");
        barrier_by_mutex(c, &sense);
    }
    return now() - start;
}

// -- Critical, atomic --------------------------------------------------------------------------------------------------

static inline void lock_by_queue(const struct core *c) {
    go(c->request, 4, DEQUEUE);
    while (!c->flags[ANSWER]) {
    }
    c->flags[ANSWER] = 0;
}

static uint32_t critical_queue(const struct core *c) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES / c->cores; i++) {
        lock_by_queue(c);
        think(THINK);
        go(c->token, 4, ENQUEUE);
    }
    barrier_by_counter(c);
    return now() - start - TIMES * THINK;
}

static uint32_t atomic_queue(const struct core *c) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES / c->cores; i++) {
        lock_by_queue(c);
        (*(volatile int *)&word)++;
        go(c->token, 4, ENQUEUE); // does not overtake the store: both go to the first core
    }
    barrier_by_counter(c);
    return now() - start;
}

static uint32_t critical_mutex(const struct core *c) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES / c->cores; i++) {
        lock_mutex();
        think(THINK);
        unlock_mutex();
    }
    barrier_by_counter(c);
    return now() - start - TIMES * THINK;
}

static uint32_t atomic_mutex(const struct core *c) {
    const uint32_t start = now();
    for (int i = 0; i < TIMES / c->cores; i++) {
        lock_mutex();
        (*(volatile int *)&word)++;
        fence(); // the variable is in the first core's memory, and the mutex is not
        unlock_mutex();
    }
    barrier_by_counter(c);
    return now() - start;
}

// -- Parallel, reduction: descriptors of 32 bytes to the other cores, and reports of their ends ------------------------

// Runs the functions whose descriptors arrive at this core, until a descriptor has no function. If `by_queue` is true,
// the descriptors arrive in the core's queue SINGLE, from which they are copied to give back their place. Otherwise they
// arrive in the line BOX, and stay there. After each function, the core adds 1 to the first core's counter ENDS if
// `by_counter` is true, and otherwise sets its word in the first core's line SLOTS. If `reduces` is true, it gives the first
// core a value before, through the first core's queue SINGLE if `by_queue` is true, otherwise in its word in SLOTS.
static inline __attribute__((always_inline)) void serve(const struct core *c, int by_queue, int by_counter,
                                                        int reduces) {
    aim(c->message, by_counter ? c->master_ends : 0, 0);
    aim(c->request, line_of(0, SINGLE), 0);
    for (;;) {
        volatile uint32_t descriptor[8];
        if (by_queue) {
            while (!c->single[0]) {
            }
            const volatile uint32_t *item = (volatile uint32_t *)(uintptr_t)c->single[1];
#pragma GCC unroll 8
            for (uint32_t i = 0; i < 8; i++) descriptor[i] = item[i];
            c->single[0] = 0;
        } else {
            while (!c->box[7]) {
            }
            c->box[7] = 0;
        }
        function *f = (function *)(uintptr_t)(by_queue ? descriptor : c->box)[0];
        if (!f) break;
        f();
        fence();
        if (reduces && !by_queue) c->master_slots[c->number] = 1;
        if (reduces && by_queue) {
            c->request[8] = 1;
            go(c->request, 4, ENQUEUE); // does not overtake what follows: both go to the first core
        }
        if (by_counter) go(c->message, 4, WRITE);
        else c->master_slots[c->number] = 1;
    }
}

static inline __attribute__((always_inline)) void post(const struct core *c, int to, int by_queue, function *f) {
    const uint32_t first = (uint32_t)(uintptr_t)f;
    if (by_queue) {
        volatile uint32_t *data = c->request + 8;
        aim(c->request, line_of(to, SINGLE), 0);
        data[0] = first;
#pragma GCC unroll 8
        for (uint32_t i = 1; i < 8; i++) data[i] = i;
        go(c->request, 32, ENQUEUE);
        return;
    }
    volatile uint32_t *box = line_of(to, BOX);
    box[0] = first;
#pragma GCC unroll 8
    for (uint32_t i = 1; i < 7; i++) box[i] = i;
    box[7] = 1;
}

// Adds up the values that the other cores have given the first core.
static inline __attribute__((always_inline)) void add_up(const struct core *c, int by_queue) {
    uint32_t sum = 1;
    for (int k = 1; k < c->cores; k++) {
        if (by_queue) {
            sum += *(volatile uint32_t *)(uintptr_t)c->single[1];
            c->single[0] = 0;
        } else {
            sum += c->slots[k];
        }
    }
    word = (int)sum;
}

static inline __attribute__((always_inline)) uint32_t parallel(const struct core *c, int by_queue, int by_counter,
                                                               int reduces) {
    if (c->number) {
        serve(c, by_queue, by_counter, reduces);
        aim(c->message, line_of(0, ARRIVALS), 0);
        return 0;
    }
    volatile uint32_t *ends = line_of(0, ENDS);
    uint32_t wanted = ends[0];
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) {
        for (int k = 1; k < c->cores; k++) post(c, k, by_queue, nothing);
        nothing();
        wanted += (uint32_t)c->cores - 1;
        if (by_counter) {
            while (ends[0] != wanted) {
            }
            if (reduces) add_up(c, by_queue);
            continue;
        }
        for (int k = 1; k < c->cores; k++) {
            while (!c->slots[k]) {
            }
            c->slots[k] = 0;
        }
    }
    const uint32_t cycles = now() - start;
    for (int k = 1; k < c->cores; k++) post(c, k, by_queue, NULL);
    return cycles;
}

static uint32_t parallel_q_ctr(const struct core *c) {
    return parallel(c, 1, 1, 0);
}
static uint32_t parallel_scr_ctr(const struct core *c) {
    return parallel(c, 0, 1, 0);
}
static uint32_t parallel_q_scr(const struct core *c) {
    return parallel(c, 1, 0, 0);
}
static uint32_t parallel_scr_scr(const struct core *c) {
    return parallel(c, 0, 0, 0);
}
// As in the EPCC benchmarks, a reduction is that of a region.
static uint32_t reduction_queue(const struct core *c) {
    return parallel(c, 1, 1, 1);
}
static uint32_t reduction_scratch(const struct core *c) {
    return parallel(c, 0, 1, 1);
}

// -- Tasks: the first core makes 64 empty ones -------------------------------------------------------------------------

static uint32_t await_tasks(uint32_t start, uint32_t before, uint32_t tasks) {
    const uint32_t cycles = now() - start;
    while (line_of(0, ENDS)[0] != before + tasks) {
    }
    return cycles;
}

// The first core puts each task into the queue SINGLE of one of the other cores, in turn.
static uint32_t task_single(const struct core *c) {
    if (c->number) {
        serve(c, 1, 1, 0);
        aim(c->message, line_of(0, ARRIVALS), 0);
        return 0;
    }
    const uint32_t before = line_of(0, ENDS)[0], start = now();
    for (int i = 0, to = 1; i < TASKS; i++, to = to + 1 < c->cores ? to + 1 : 1) post(c, to, 1, nothing);
    const uint32_t cycles = await_tasks(start, before, TASKS);
    for (int k = 1; k < c->cores; k++) post(c, k, 1, NULL);
    return cycles;
}

// Waits for a descriptor in the line BOX of the core, runs the task that it names, and reports the task's end to the
// first core. Returns false if the descriptor names no task, which means that there are no more tasks.
static inline __attribute__((always_inline)) bool run_from_box(const struct core *c) {
    while (!c->box[7]) {
    }
    function *f = (function *)(uintptr_t)c->box[0];
    c->box[7] = 0;
    if (!f) return false;
    f();
    fence();
    go(c->message, 4, WRITE);
    return true;
}

// The first core puts the tasks into its own queue MULTIPLE. Each of the other cores requests a task from this queue.
// The answer to a request is a descriptor, which arrives in the requesting core's line BOX.
static uint32_t task_multiple(const struct core *c) {
    if (c->number) {
        aim(c->message, c->master_ends, 0);
        aim(c->request, line_of(0, MULTIPLE), c->box);
        do go(c->request, 4, DEQUEUE);
        while (run_from_box(c));
        aim(c->message, line_of(0, ARRIVALS), 0);
        return 0;
    }
    volatile uint32_t *data = c->request + 8;
    aim(c->request, line_of(0, MULTIPLE), 0);
    const uint32_t before = line_of(0, ENDS)[0], start = now();
    for (int i = 0; i < TASKS; i++) {
        data[0] = (uint32_t)(uintptr_t)nothing;
#pragma GCC unroll 8
        for (uint32_t k = 1; k < 8; k++) data[k] = k;
        go(c->request, 32, ENQUEUE);
    }
    const uint32_t cycles = await_tasks(start, before, TASKS);
    for (int k = 1; k < c->cores; k++) {
        data[0] = 0;
        go(c->request, 32, ENQUEUE);
    }
    return cycles;
}

// The first core puts each task into the line BOX of one of the other cores, in turn, under a lock for this line. The
// lock is taken by one atomic exchange. The paper's machine has no such instruction.
static uint32_t task_locked(const struct core *c) {
    static uint32_t locks[CORES_MAX];
    if (c->number) {
        aim(c->message, c->master_ends, 0);
        while (run_from_box(c)) {
        }
        aim(c->message, line_of(0, ARRIVALS), 0);
        return 0;
    }
    const uint32_t before = line_of(0, ENDS)[0], start = now();
    uint32_t cycles = 0;
    for (int i = 0, to = 1; i <= TASKS; i++, to = to + 1 < c->cores ? to + 1 : 1) {
        if (i == TASKS) {
            cycles = await_tasks(start, before, TASKS);
            break;
        }
        while (__atomic_exchange_n(&locks[to], 1, __ATOMIC_ACQUIRE)) {
        }
        while (line_of(to, BOX)[7]) {
        }
        post(c, to, 0, nothing);
        __atomic_store_n(&locks[to], 0, __ATOMIC_RELEASE);
    }
    for (int k = 1; k < c->cores; k++) post(c, k, 0, NULL);
    return cycles;
}

// -- The rows ----------------------------------------------------------------------------------------------------------

static const struct row {
    const char *name;
    uint32_t (*measure)(const struct core *c);
    int times, cores_min;
} rows[] = {{"barrier_counter", barrier_counter, TIMES, 1}, {"for_counter", for_counter, TIMES, 1},
            {"barrier_mutex", barrier_mutex, TIMES, 1},     {"for_mutex", for_mutex, TIMES, 1},
            {"critical_mutex", critical_mutex, TIMES, 1},   {"atomic_mutex", atomic_mutex, TIMES, 1},
            {"critical_queue", critical_queue, TIMES, 1},   {"atomic_queue", atomic_queue, TIMES, 1},
            {"reduction_queue", reduction_queue, TIMES, 1}, {"reduction_scratch", reduction_scratch, TIMES, 1},
            {"parallel_q_ctr", parallel_q_ctr, TIMES, 2},   {"parallel_scr_ctr", parallel_scr_ctr, TIMES, 2},
            {"parallel_q_scr", parallel_q_scr, TIMES, 2},   {"parallel_scr_scr", parallel_scr_scr, TIMES, 2},
            {"task_single", task_single, TASKS, 2},         {"task_multiple", task_multiple, TASKS, 2},
            {"task_locked", task_locked, TASKS, 2}};

int main(void) {
#pragma omp parallel
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        uint32_t cycles = 0;
        if (omp_get_num_threads() < row->cores_min) continue;
        for (int k = 0; k < 2; k++) {
            const struct core c = set_up();
            cycles = row->measure(&c);
            fence();
#pragma omp barrier
        }
        if (omp_get_thread_num() != 0) continue;
        const uint32_t tenths = cycles * 10 / (uint32_t)row->times;
        printf("result %s %d 0 %lu.%lu\n", row->name, omp_get_num_threads(), (unsigned long)tenths / 10,
               (unsigned long)tenths % 10);
    }
    return 0;
}
