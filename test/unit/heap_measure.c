// SPDX-License-Identifier: BSD-3-Clause
// What the symmetric heap costs in time and in memory, beside the C library's malloc in the same run: the figures behind
// HEAP_LINE_FROM and GLANCE. heap_measure [SEED]; prints a table, and fails only if an allocation does.
#include "../../src/heap/heap.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REGION ((size_t)256 << 20)
#define SLOTS 4096
#define REPEATS 7

static unsigned char *region;
static struct heap heap;
static void *blocks[SLOTS];
static size_t sizes[SLOTS];
static uint64_t state;

static size_t random_below(size_t limit) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (size_t)((state * 0x2545f4914f6cdd1du) >> 20) % limit;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *heap_get(size_t bytes) {
    return skerry_heap_allocate(&heap, bytes, 0);
}

static void heap_put(void *block) {
    if (skerry_heap_free(&heap, block) != HEAP_FAULT_NONE) abort();
}

// Log-uniform from 16 bytes up to the limit.
static size_t random_size(size_t limit) {
    size_t ceiling = 32;
    while (ceiling < limit && random_below(8)) ceiling *= 2;
    return 16 + random_below(ceiling);
}

static void fresh(void) {
    if (!skerry_heap_init(&heap, region, REGION, 0)) exit(1);
    memset(blocks, 0, sizeof blocks);
}

// Nanoseconds for one free and one allocate in the steady state of a random mix; the best of a few runs.
static double pair_time(void *(*get)(size_t), void (*put)(void *), size_t limit, size_t slots) {
    const size_t pairs = 400000;
    double best = 1e9;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        fresh();
        for (size_t i = 0; i < slots; i++) blocks[i] = get(random_size(limit));
        static uint32_t slot[400000], bytes[400000];
        for (size_t i = 0; i < pairs; i++) {
            slot[i] = (uint32_t)random_below(slots);
            bytes[i] = (uint32_t)random_size(limit);
        }
        double start = seconds();
        for (size_t i = 0; i < pairs; i++) {
            put(blocks[slot[i]]);
            if ((blocks[slot[i]] = get(bytes[i])) == NULL) exit(1);
        }
        double took = (seconds() - start) * 1e9 / (double)pairs;
        best = took < best ? took : best;
        for (size_t i = 0; i < slots; i++) put(blocks[i]);
    }
    return best;
}

// The span of addresses used over the most bytes ever asked for at one time: 1.0 would be no loss at all.
static double footprint(void *(*get)(size_t), void (*put)(void *), size_t limit) {
    fresh();
    size_t live = 0, most = 0;
    uintptr_t lowest = UINTPTR_MAX, highest = 0;
    for (size_t step = 0; step < 300000; step++) {
        size_t i = random_below(SLOTS);
        if (blocks[i] != NULL) {
            put(blocks[i]);
            live -= sizes[i];
            blocks[i] = NULL;
            if (random_below(3) == 0) continue;
        }
        sizes[i] = random_size(limit);
        if ((blocks[i] = get(sizes[i])) == NULL) exit(1);
        live += sizes[i];
        most = live > most ? live : most;
        uintptr_t start = (uintptr_t)blocks[i], end = start + sizes[i];
        lowest = start < lowest ? start : lowest;
        highest = end > highest ? end : highest;
    }
    return (double)(highest - lowest) / (double)most;
}

// Each in a process of its own, so that the C library starts from an arena without holes.
static void print_footprints(size_t limit, uint64_t seed) {
    double *results = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (results == MAP_FAILED) exit(1);
    for (int ours = 0; ours < 2; ours++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            state = seed;
            results[ours] = ours ? footprint(heap_get, heap_put, limit) : footprint(malloc, free, limit);
            _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) exit(1);
    }
    printf("to %5zu B, mixed        %7.3f    %7.3f     span of addresses used / most bytes asked for\n", limit,
           results[1], results[0]);
    munmap(results, 4096);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    if (posix_memalign((void **)&region, (size_t)1 << 16, REGION) != 0) return 1;
    mallopt(M_MMAP_MAX, 0); // keep the C library in its one growing arena, so that its addresses tell
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    const size_t limits[] = {64, 512, 4096, 65536};
    printf("%-22s %10s %10s\n", "", "heap", "malloc");
    fflush(stdout);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) print_footprints(limits[i], seed);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (size_t slots = 16; slots <= SLOTS; slots *= 256) {
            double times[2];
            for (int ours = 0; ours < 2; ours++) {
                state = seed;
                times[ours] =
                    ours ? pair_time(heap_get, heap_put, limits[i], slots) : pair_time(malloc, free, limits[i], slots);
            }
            printf("to %5zu B, %4zu live    %7.1f ns %7.1f ns  a free and an allocate\n", limits[i], slots, times[1],
                   times[0]);
        }
    free(region);
    return 0;
}
