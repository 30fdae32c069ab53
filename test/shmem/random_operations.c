// SPDX-License-Identifier: BSD-3-Clause
// Random operations on random PEs give the results that a model predicts. Each PE has, in the memory of every PE, an area
// that only it writes, and a shadow of each of these areas. It compares random parts of the areas with the shadows by
// gets. Counters that all PEs change are compared with the sum of the changes; signals, with the data before them.
// The variables RUN_SECONDS and RUN_SEED make longer or other runs: RUN_SECONDS=600 RUN_SEED=7 oshrun ... With
// RUN_SECONDS, PE 0 prints the number of operations.
// skip: epiphany (its code and its data need more than the memory of a core)
// ways: 4:2:remote 4:2:emulated 64:4:tcp
#include "test.h"

#define AREA TEST_SIZE(20000, 256) // bytes
#define COUNTERS 8
#define ROUND 100 // operations of each PE between two checks of the counters

static unsigned char *areas;   // [pes][AREA]: element i is written by PE i
static unsigned char *shadows; // [pes][AREA]: element i is what this PE has written in PE i's areas[me]
static long counters[COUNTERS], changes[COUNTERS];
static uint64_t seed;

static unsigned char *area_of(int pe) {
    return areas + (size_t)pe * AREA;
}

struct part {
    int pe;
    size_t at, bytes;
    unsigned char *shadow;
};

// Chooses a part of this PE's area at a random PE. Small parts are more frequent than large ones.
static struct part random_part(size_t unit) {
    struct part part = {.pe = (int)test_below(&seed, (size_t)pes)};
    const size_t most = (size_t)1 << test_below(&seed, 16);
    part.bytes = (1 + test_below(&seed, most < AREA ? most : AREA)) / unit * unit;
    part.at = test_below(&seed, AREA - part.bytes + 1) / unit * unit;
    part.shadow = shadows + (size_t)part.pe * AREA + part.at;
    return part;
}

static void change_shadow(const struct part *part) {
    for (size_t i = 0; i < part->bytes; i++) part->shadow[i] = (unsigned char)test_random(&seed);
}

// The order of two puts to one place is that of the calls only if a fence separates them.
static struct part part_to_put(size_t unit) {
    shmem_fence();
    return random_part(unit);
}

static void put(bool blocks) {
    const struct part part = part_to_put(1);
    static unsigned char copy[AREA];
    if (blocks) {
        change_shadow(&part);
        memcpy(copy, part.shadow, part.bytes);
        shmem_putmem(area_of(me) + part.at, copy, part.bytes, part.pe);
        memset(copy, 0, part.bytes); // the source is free again
        return;
    }
    shmem_quiet(); // earlier puts possibly read the shadow
    change_shadow(&part);
    shmem_putmem_nbi(area_of(me) + part.at, part.shadow, part.bytes, part.pe);
    shmem_quiet();
}

static void put_words(void) {
    const struct part part = part_to_put(sizeof(long));
    change_shadow(&part);
    for (size_t i = 0; i < part.bytes / sizeof(long) && i < 50; i++) {
        long word;
        memcpy(&word, part.shadow + i * sizeof word, sizeof word);
        shmem_long_p((long *)(void *)(area_of(me) + part.at) + i, word, part.pe);
    }
    if (part.bytes / sizeof(long) <= 50) return;
    shmem_fence();
    shmem_putmem(area_of(me) + part.at, part.shadow, part.bytes, part.pe); // the rest, and the same words again
}

static void put_strided(void) {
    const struct part part = part_to_put(sizeof(int));
    const size_t count = part.bytes / sizeof(int) / 3;
    int source[100];
    for (size_t i = 0; i < count && i < 100; i++) {
        source[i] = (int)test_random(&seed);
        memcpy(part.shadow + 3 * i * sizeof(int), &source[i], sizeof(int));
    }
    shmem_int_iput((int *)(void *)(area_of(me) + part.at), source, 3, 1, count < 100 ? count : 100, part.pe);
}

static void compare(void) {
    static unsigned char copy[AREA];
    const struct part part = random_part(1);
    shmem_quiet(); // a get is not ordered behind earlier puts
    shmem_getmem(copy, area_of(me) + part.at, part.bytes, part.pe);
    for (size_t i = 0; i < part.bytes; i++)
        REQUIRE(copy[i] == part.shadow[i], "byte %zu of %zu at %zu of PE %d is %d instead of %d", i, part.bytes,
                part.at, part.pe, copy[i], part.shadow[i]);
}

static void count(void) {
    const int pe = (int)test_below(&seed, (size_t)pes), which = (int)test_below(&seed, COUNTERS);
    const long change = (long)test_below(&seed, 1000);
    changes[which] += change;
    switch (test_below(&seed, 3)) {
    case 0: shmem_long_atomic_add(&counters[which], change, pe); break;
    case 1: shmem_long_atomic_fetch_add(&counters[which], change, pe); break;
    default:
        for (long seen = shmem_long_atomic_fetch(&counters[which], pe), before;; seen = before) {
            before = shmem_long_atomic_compare_swap(&counters[which], seen, seen + change, pe);
            if (before == seen) break;
        }
    }
}

static void operate(void) {
    switch (test_below(&seed, 7)) {
    case 0: put(true); break;
    case 1: put(false); break;
    case 2: put_words(); break;
    case 3: put_strided(); break;
    case 4: compare(); break;
    case 5: shmem_fence(); break;
    default: count();
    }
}

// Each PE puts data with a signal to the next one, which checks the data when the signal has come.
static void pass_signal(long round) {
    static unsigned char sent[AREA], got[AREA];
    static uint64_t signal;
    const size_t bytes = 1 + (size_t)(round * 977 % AREA);
    test_fill(sent, bytes, (uint64_t)(me + round));
    shmem_putmem_signal(got, sent, bytes, &signal, 1, SHMEM_SIGNAL_ADD, right_of(me));
    shmem_signal_wait_until(&signal, SHMEM_CMP_GE, (uint64_t)round + 1);
    const size_t wrong = test_first_wrong(got, bytes, (uint64_t)(left_of(me) + round));
    REQUIRE(wrong == bytes, "round %ld: byte %zu behind the signal is wrong", round, wrong);
    shmem_barrier_all(); // before the next put to the same place
}

static void check_counters(void) {
    static long present[COUNTERS], added[COUNTERS];
    shmem_barrier_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, present, counters, COUNTERS);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, added, changes, COUNTERS);
    for (int i = 0; i < COUNTERS; i++)
        REQUIRE(present[i] == added[i], "counter %d is %ld instead of %ld", i, present[i], added[i]);
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    const char *seconds_text = getenv("RUN_SECONDS"), *seed_text = getenv("RUN_SEED");
    const double seconds = seconds_text ? atof(seconds_text) : 0;
    seed = (uint64_t)(seed_text ? atol(seed_text) : 1) * 1000003 + (uint64_t)me;
    areas = test_malloc((size_t)pes * AREA);
    shadows = calloc((size_t)pes, AREA);
    REQUIRE(shadows, "no memory");
    memset(areas, 0, (size_t)pes * AREA);
    shmem_barrier_all();
    const double begun = test_seconds();
    static int go_on = 1, time_left;
    long round = 0;
    for (; go_on; round++) {
        for (int i = 0; i < ROUND; i++) operate();
        pass_signal(round);
        check_counters();
        if (me == 0) time_left = seconds > 0 ? test_seconds() - begun < seconds : round < TEST_SIZE(20, 2);
        shmem_broadcastmem(SHMEM_TEAM_WORLD, &go_on, &time_left, sizeof go_on, 0);
    }
    if (seconds > 0 && me == 0) printf("%ld operations in %ld rounds\n", round * ROUND * pes, round);
    free(shadows);
    shmem_free(areas);
    return test_end();
}
