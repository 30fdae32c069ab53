// SPDX-License-Identifier: BSD-3-Clause
// Measures a barrier, a parallel region and a region with a sum, written by hand for the counters of the simulated
// machines sarc (docs/design/events.md), on any number of cores up to 64. `skerry bench` compares OpenMP's constructs with
// these times (openmp.c). The OpenMP runtime only starts the cores. Prints lines "result NAME CORES 0 CYCLES".
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define TIMES 96
#define CORES_MAX 64
#define WAYS 4 // each round of the barrier multiplies the number of cores that a core knows to have arrived by this
#define ROUNDS_MAX 3 // WAYS to this power is CORES_MAX
#define GROUP 4 // number of cores that report their ends to one counter, and of counters that report to the next one

// Lines of a core's event unit (32 bytes each) that this program uses. The runtime uses lower ones.
enum { ROUNDS = 96, GROUP_ENDS = 104, SECOND_ENDS, ENDS, UNUSED };
enum { PLAIN, COUNTER = 2 };

typedef void function(void *data);
typedef volatile uint32_t word;

// A descriptor: what a core runs next. One store of 8 bytes sends it, which is atomic on this machine.
union box {
    volatile double both;
    volatile struct {
        function *function;
        void *data;
    };
};

struct round {
    word *to[WAYS - 1];
    word *own;
    uint32_t wanted, step;
};

// Each core has a copy of these words in its own memory.
struct core {
    uint32_t number, cores;
    struct round rounds[2][ROUNDS_MAX]; // two consecutive barriers use different counters
    union box box;
    word slots[CORES_MAX]; // values that other cores have sent, plus SENT
    word *report;          // the counter to which the core adds 1 at the end of a region
    word *slot;            // where the core sends its value
    uint32_t values;       // number of cores that send their values to this core, and which slots they use
    uint32_t first_slot, slot_step;
    union box *boxes[16]; // of the cores to which this core sends descriptors, and behind them `unused`
    union box unused;
    uint32_t box_count;
};
#define SENT 0x40000000u

static struct core *cores[CORES_MAX];

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}

static word *line_of(uint32_t core, uint32_t number) {
    const uint32_t base = (uint32_t)(uintptr_t)cores[core] & ~UINT32_C(0xfffff);
    return (word *)(uintptr_t)(base | (0xe0000u + 32u * number));
}

static void set_tag(uint32_t number, uint32_t kind) {
    *(word *)(uintptr_t)(0xe8000u + 4u * number) = kind;
}

static inline void fence(void) {
    __asm__ volatile("fence rw, rw" ::: "memory");
}

// Polls until the condition holds. The loop is unrolled, because a taken branch loses two cycles.
#define AWAIT(condition)                                                                                               \
    while (!(condition) && !(condition) && !(condition) && !(condition)) {                                             \
    }

// -- Barrier: in round i core t adds to counters of the cores t + j * 4^i, j from 1 to 3 -------------------------------

static void set_up_barrier(struct core *c) {
    for (uint32_t parity = 0; parity < 2; parity++) {
        uint32_t distance = 1;
        for (uint32_t i = 0; i < ROUNDS_MAX; i++, distance *= WAYS) {
            struct round *round = &c->rounds[parity][i];
            const uint32_t line = ROUNDS + 2 * i + parity;
            set_tag(line, COUNTER);
            round->own = line_of(c->number, line);
            round->wanted = 0;
            round->step = 0;
            for (uint32_t j = 1; j < WAYS; j++) {
                const int exists = j * distance < c->cores;
                round->step += exists ? 1 : 0;
                round->to[j - 1] =
                    exists ? line_of((c->number + j * distance) % c->cores, line) : line_of(c->number, UNUSED);
            }
        }
    }
}

static inline __attribute__((always_inline)) void barrier(struct core *c, uint32_t parity, int rounds) {
    struct round *round = c->rounds[parity];
#pragma GCC unroll 3
    for (int i = 0; i < rounds; i++, round++) {
        *round->to[0] = 1;
        *round->to[1] = 1;
        *round->to[2] = 1;
        const uint32_t wanted = round->wanted + round->step;
        word *own = round->own;
        round->wanted = wanted;
        AWAIT(*own == wanted);
    }
}

static inline __attribute__((always_inline)) uint32_t barriers(struct core *c, int rounds) {
    const uint32_t start = now();
    for (uint32_t i = 0; i < TIMES; i++) {
        fence();
        barrier(c, i & 1, rounds);
    }
    return now() - start;
}

static uint32_t measure_barrier(struct core *c) {
    if (c->cores <= WAYS) return barriers(c, 1);
    return c->cores <= WAYS * WAYS ? barriers(c, 2) : barriers(c, 3);
}

// -- Region: descriptors by stores, reports by a tree of counters ------------------------------------------------------

// The first core sends descriptors to all others if there are at most FLAT of them. If not, it sends them to every 8th
// core, which sends them to the 7 cores behind it.
#define FLAT 15
#define BRANCH 8
#define BOXES_MAX 15

static void set_up_region(struct core *c) {
    const int is_flat = c->cores <= FLAT + 1;
    c->box.both = 0;
    c->box_count = 0;
    for (unsigned i = 0; i < sizeof c->boxes / sizeof c->boxes[0]; i++) c->boxes[i] = &c->unused;
    if (is_flat && c->number == 0)
        for (uint32_t i = 1; i < c->cores; i++) c->boxes[c->box_count++] = &cores[i]->box;
    if (!is_flat && c->number == 0)
        for (uint32_t i = BRANCH; i < c->cores; i += BRANCH) c->boxes[c->box_count++] = &cores[i]->box;
    if (!is_flat && c->number % BRANCH == 0)
        for (uint32_t i = c->number + 1; i < c->number + BRANCH && i < c->cores; i++)
            c->boxes[c->box_count++] = &cores[i]->box;
    // The tree of counters: a counter for each group of cores, and one for each group of groups. The counter of the first
    // core is that of its group, of its group of groups, and the root.
    const uint32_t group = c->number / GROUP * GROUP, second = c->number / (GROUP * GROUP) * GROUP * GROUP;
    for (uint32_t line = GROUP_ENDS; line <= ENDS; line++) set_tag(line, COUNTER);
    const uint32_t members = c->cores - group < GROUP ? c->cores - group : GROUP;
    const int two_levels = c->cores <= GROUP * GROUP;
    if (c->number == group && c->number) {
        word *counter = line_of(c->number, GROUP_ENDS);
        counter[1] = counter[7] = 0u - members;
        counter[2] = 1;
        counter[3] = (uint32_t)(uintptr_t)(two_levels || !second ? line_of(0, ENDS) : line_of(second, SECOND_ENDS));
    }
    if (c->number == second && c->number && !two_levels) {
        const uint32_t cores_below = c->cores - second < GROUP * GROUP ? c->cores - second : GROUP * GROUP;
        word *counter = line_of(c->number, SECOND_ENDS);
        counter[1] = counter[7] = 0u - (cores_below + GROUP - 1) / GROUP;
        counter[2] = 1;
        counter[3] = (uint32_t)(uintptr_t)line_of(0, ENDS);
    }
    c->report = line_of(group, group ? GROUP_ENDS : ENDS);
    // Values go to the first core of each group, and from there to the first core (with more than 16 cores by way of
    // the first core of each group of groups).
    memset((void *)c->slots, 0, sizeof c->slots);
    const uint32_t above = c->number % GROUP ? group : two_levels || c->number % (GROUP * GROUP) == 0 ? 0 : second;
    c->slot = &cores[above]->slots[c->number];
}

// Sends a descriptor to the cores below this one. `count` is constant in each call, and at least their number: the other
// descriptors go to a box of this core that nobody reads. So there are no branches.
static inline __attribute__((always_inline)) void send_to(struct core *c, function *f, void *data, int count) {
    union box box;
    box.function = f;
    box.data = data;
    const double both = box.both;
#pragma GCC unroll 16
    for (int i = 0; i < count; i++) c->boxes[i]->both = both;
}

static inline __attribute__((always_inline)) void send(struct core *c, function *f, void *data) {
    if (c->box_count <= 3) send_to(c, f, data, 3);
    else if (c->box_count <= BRANCH - 1) send_to(c, f, data, BRANCH - 1);
    else send_to(c, f, data, BOXES_MAX);
}

static void nothing(void *data) {
    (void)data;
}

// Ends the loop of a core that waits for descriptors.
static void stop(void *data) {
    (void)data;
}

static void serve(struct core *c) {
    word *const report = c->report;
    const uint32_t box_count = c->box_count;
    for (;;) {
        function *f;
        AWAIT((f = c->box.function) != NULL);
        void *data = c->box.data;
        c->box.function = NULL;
        if (box_count) send_to(c, f, data, BRANCH - 1);
        f(data);
        fence();
        *report = 1;
        if (f == stop) return;
    }
}

// Number of cores and counters that add 1 to the first core's counter ENDS at the end of a region.
static uint32_t reports(const struct core *c) {
    uint32_t count = 0;
    for (uint32_t step = 1; step < CORES_MAX; step *= GROUP)
        for (uint32_t i = step; i < step * GROUP && i < c->cores; i += step) count++;
    return count;
}

static inline __attribute__((always_inline)) uint32_t regions(struct core *c, int boxes) {
    word *ends = line_of(0, ENDS);
    const uint32_t step = reports(c);
    uint32_t wanted = *ends;
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) {
        fence();
        send_to(c, nothing, NULL, boxes);
        nothing(NULL);
        wanted += step;
        AWAIT(*ends == wanted);
    }
    const uint32_t cycles = now() - start;
    send(c, stop, NULL);
    wanted += step;
    AWAIT(*ends == wanted);
    return cycles;
}

static uint32_t measure_region(struct core *c) {
    if (c->number) {
        serve(c);
        return 0;
    }
    if (c->box_count <= 3) return regions(c, 3);
    return c->box_count <= BRANCH - 1 ? regions(c, BRANCH - 1) : regions(c, BOXES_MAX);
}

// -- Sum: the values travel up a tree of stores, which also reports the ends -------------------------------------------

// Adds the values of the cores below this core to `value`.
static inline uint32_t collect(struct core *c, uint32_t value) {
    const uint32_t number = c->number, all = c->cores;
#pragma GCC unroll 3
    for (uint32_t step = 1; step < CORES_MAX; step *= GROUP) {
        if (number % (step * GROUP) != 0) break;
        for (uint32_t i = number + step; i < number + step * GROUP && i < all; i += step) {
            uint32_t sent;
            AWAIT((sent = c->slots[i]) != 0);
            c->slots[i] = 0;
            value += sent - SENT;
        }
    }
    return value;
}

static uint32_t measure_sum(struct core *c) {
    uint32_t sum = 0;
    const uint32_t start = now();
    for (int i = 0; i < TIMES; i++) {
        if (c->number == 0) {
            fence();
            send(c, nothing, NULL);
            sum = collect(c, 1);
            continue;
        }
        AWAIT(c->box.function != NULL);
        c->box.function = NULL;
        if (c->box_count) send(c, nothing, NULL);
        const uint32_t value = collect(c, 1);
        fence();
        *c->slot = value + SENT;
    }
    const uint32_t cycles = now() - start;
    if (c->number == 0 && sum != c->cores) printf("the sum is %lu\n", (unsigned long)sum);
    return cycles;
}

static const struct row {
    const char *name;
    uint32_t (*measure)(struct core *c);
} rows[] = {{"hand_barrier", measure_barrier}, {"hand_parallel", measure_region}, {"hand_reduction", measure_sum}};

int main(void) {
#pragma omp parallel
    {
        struct core c;
        c.number = (uint32_t)omp_get_thread_num();
        c.cores = (uint32_t)omp_get_num_threads();
        cores[c.number] = &c;
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            uint32_t cycles = 0;
            for (int k = 0; k < 2; k++) {
#pragma omp barrier
                set_up_barrier(&c);
                set_up_region(&c);
                fence();
#pragma omp barrier
                cycles = rows[i].measure(&c);
                fence();
            }
            if (c.number) continue;
            const uint32_t tenths = cycles * 10 / TIMES;
            printf("result %s %lu 0 %lu.%lu\n", rows[i].name, (unsigned long)c.cores, (unsigned long)tenths / 10,
                   (unsigned long)tenths % 10);
        }
    }
    return 0;
}
