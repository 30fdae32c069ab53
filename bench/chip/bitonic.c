// SPDX-License-Identifier: BSD-3-Clause
// Measures bitonic sort (Batcher 1968) in OpenMP on cores that have memories of their own, as Tendulkar et al. (2011) did:
// 128 to 4096 integers, which lie in the first core's memory before and after the sort. Each thread sorts a block of them
// in its own memory. Where a block is compared with that of another thread, each of the two threads compares one half of
// both: it copies this half of the other's block to a buffer and back, by chunks (skerry_omp.h). The number of threads
// must be a power of 2. The program is linked with stacks of 20 KB, which hold the integers and the blocks. Each size is sorted twice, and the second time is printed:
//   result bitonic_COUNT THREADS 0 CYCLES      with the region around it
//   result bitonic_alone_COUNT 1 0 CYCLES      the same by one thread without OpenMP, if OMP_NUM_THREADS is 1
#include <omp.h>
#include <skerry_omp.h>
#include <stdbool.h>
#include <stdint.h>

#include "result_line.h"

#define COUNT_MIN 128
#define COUNT_MAX 4096
#define THREADS_MAX 16
#define CHUNK 64 // integers

static int *values;              // the integers, on the stack of main, which is in the first core's memory
static int *blocks[THREADS_MAX]; // of each thread

static uint32_t now(void) {
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}

// Compares each element of `lower` with that of `upper`, and exchanges both if the first one is greater.
__attribute__((optimize("O2"), noinline)) static void compare(int *lower, int *upper, size_t count) {
    for (; count > 0; count--, lower++, upper++) {
        const int low = *lower, high = *upper;
        if (low <= high) continue;
        *lower = high;
        *upper = low;
    }
}

// Does the steps of one stage whose distances are less than `distance` * 2, within a block whose first element has the
// index `first`. A sequence of `stage` elements becomes ascending or descending, by its place.
static void merge_block(int *block, size_t first, size_t count, size_t stage, size_t distance) {
    for (; distance > 0; distance /= 2)
        for (size_t at = 0; at < count; at += 2 * distance) {
            const bool ascends = ((first + at) & stage) == 0;
            int *const low = block + at, *const high = low + distance;
            if (ascends) compare(low, high, distance);
            else compare(high, low, distance);
        }
}

static void sort_alone(int *array, size_t count) {
    for (size_t stage = 2; stage <= count; stage *= 2) merge_block(array, 0, count, stage, stage / 2);
}

// Does a step with another thread's block. The thread with the lower number compares the first halves of both blocks, the
// other thread the second halves.
static void exchange(int *block, int *other, size_t count, bool is_lower, bool ascends) {
    int buffer[3 * CHUNK], *part;
    skerry_omp_chunks_t chunks;
    const size_t half = is_lower ? 0 : count / 2;
    skerry_omp_chunks_begin(&chunks, SKERRY_OMP_UPDATE, other + half, count / 2, sizeof *other, buffer, sizeof buffer);
    while ((part = skerry_omp_chunks_next(&chunks))) {
        int *const mine = block + half + chunks.first;
        if (is_lower == ascends) compare(mine, part, chunks.count);
        else compare(part, mine, chunks.count);
    }
}

// Sorts a thread's block together with the other threads, which call this function too.
static void sort_block(int *block, size_t count, size_t me, size_t threads) {
    const size_t share = count / threads, first = me * share;
    blocks[me] = block;
    for (size_t stage = 2; stage <= count; stage *= 2) {
        size_t distance = stage / 2;
        for (; distance >= share; distance /= 2) {
            const size_t other = me ^ (distance / share);
#pragma omp barrier
            exchange(block, blocks[other], share, me < other, (first & stage) == 0);
        }
        if (stage > share) {
#pragma omp barrier
        }
        merge_block(block, first, share, stage, distance);
    }
}

// The same for a thread whose core does not have the integers: copies its block to its own memory, and back.
__attribute__((noinline)) static void sort_copy(int *array, size_t count, size_t me, size_t threads) {
    int own[COUNT_MAX / 2];
    skerry_omp_counter_t counter = {0};
    const size_t share = count / threads;
    skerry_omp_get_begin(&counter, own, array + me * share, share * sizeof *own);
    skerry_omp_complete(&counter);
    sort_block(own, count, me, threads);
    skerry_omp_put_begin(&counter, array + me * share, own, share * sizeof *own);
    skerry_omp_complete(&counter);
}

static void sort(int *array, size_t count) {
#pragma omp parallel firstprivate(array, count)
    {
        const size_t me = (size_t)omp_get_thread_num(), threads = (size_t)omp_get_num_threads();
        if (me == 0) sort_block(array, count, me, threads);
        else sort_copy(array, count, me, threads);
    }
}

// Fills the array by a linear congruence. Returns the sum.
static uint32_t fill(size_t count) {
    uint32_t value = (uint32_t)count, sum = 0;
    for (size_t i = 0; i < count; i++) {
        value = value * 1664525 + 1013904223;
        values[i] = (int)(value >> 1);
        sum += value >> 1;
    }
    return sum;
}

static bool is_sorted(size_t count, uint32_t sum) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && values[i - 1] > values[i]) return false;
        sum -= (uint32_t)values[i];
    }
    return sum == 0;
}

static bool measure(size_t count, bool alone) {
    uint32_t cycles = 0;
    for (int run = 0; run < 2; run++) {
        const uint32_t sum = fill(count), start = now();
        if (alone) sort_alone(values, count);
        else sort(values, count);
        cycles = now() - start;
        if (!is_sorted(count, sum)) return false;
    }
    char digits[12];
    digits[append_number(digits, 0, (uint32_t)count)] = '\0';
    print_result((const char *const[]){alone ? "bitonic_alone" : "bitonic", digits, NULL}, omp_get_max_threads(),
                 cycles * 10);
    return true;
}

int main(void) {
    int array[COUNT_MAX];
    values = array;
    const bool is_single = omp_get_max_threads() == 1;
    for (size_t count = COUNT_MIN; count <= COUNT_MAX; count *= 2)
        if (!measure(count, false) || (is_single && !measure(count, true))) {
            static const char wrong[] = "bitonic: the values are not sorted\n";
            return write(STDERR_FILENO, wrong, sizeof wrong - 1) < 0 ? 2 : 1;
        }
    return 0;
}
