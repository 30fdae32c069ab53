// SPDX-License-Identifier: BSD-3-Clause
// Measures which loop copies fastest, and for which sizes a string instruction or non-temporal stores are faster than
// this loop. All copies are between two places of one shared mapping, as in bench/limits/copy.c. A guessed value
// (skerry_guess_tuning) stays if no other value is better by more than the usual differences between two measurements.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../../src/machine/linux/pe/copy_choice.h"
#include "../../src/machine/linux/pe/internal.h"
#include "tune.h"

#define PLACE_BYTES ((size_t)16 << 20) // bytes of the largest block that is measured
#define BATCH_NANOSECONDS 8000.0
#define BATCHES 7
#define LARGE_BYTES ((size_t)256 << 10) // bytes: from this size on a batch is one copy, after some copies that warm up
// Number of copies that are made before the measured copies. After copies by non-temporal stores, the first copies by
// ordinary stores are slow, so the first copies are not measured.
#define LARGE_WARM_UP 2
#define LARGE_BATCHES 3
#define WORTH_A_LOOP 0.03 // smallest gain that replaces the guess: logarithm of a ratio of times, 3 %
#define WORTH_A_STRING 0.08
// Largest time of a copy by non-temporal stores, as a part of the time of an ordinary copy.
#define STREAM_COPY_MOST 0.96
#define STREAM_BOTH_MOST 1.05 // the same for the copy and reading all lines after it
#define MISALIGNMENT 20       // bytes from a line's start to the source, in half of the measurements

enum { contenders_max = 8 };

static char *dest, *source;

static bool map_places(void) {
    char *memory =
        mmap(NULL, 2 * PLACE_BYTES + 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) return false;
    dest = memory;
    source = memory + PLACE_BYTES;
    return true;
}

static double time_of(size_t bytes, size_t offset, long count) {
    double began = tune_now();
    for (long i = 0; i < count; i++) skerry_copy_bytes(dest, source + offset, bytes);
    return (tune_now() - began) / (double)count;
}

static long count_of_batch(size_t bytes, size_t offset) {
    long count = 1;
    while (count < (1 << 20) && time_of(bytes, offset, count) * (double)count < BATCH_NANOSECONDS / 2) count *= 2;
    return count;
}

// Stores the shortest time of a copy, in nanoseconds, for each choice. Measures a batch of each choice in turn. Other
// programs then disturb all choices alike.
static void compare_small(const struct skerry_copy_choice *choices, int contenders, size_t bytes, size_t offset,
                          double *nanoseconds) {
    long counts[contenders_max];
    for (int i = 0; i < contenders; i++) {
        skerry_copy_use(&choices[i]);
        counts[i] = count_of_batch(bytes, offset);
        nanoseconds[i] = INFINITY;
    }
    for (int batch = 0; batch < BATCHES; batch++)
        for (int i = 0; i < contenders; i++) {
            skerry_copy_use(&choices[i]);
            nanoseconds[i] = fmin(nanoseconds[i], time_of(bytes, offset, counts[i]));
        }
}

static void compare_large(const struct skerry_copy_choice *choices, int contenders, size_t bytes, size_t offset,
                          double *nanoseconds) {
    for (int i = 0; i < contenders; i++) {
        skerry_copy_use(&choices[i]);
        time_of(bytes, offset, LARGE_WARM_UP);
        nanoseconds[i] = INFINITY;
        for (int batch = 0; batch < LARGE_BATCHES; batch++)
            nanoseconds[i] = fmin(nanoseconds[i], time_of(bytes, offset, 1));
    }
}

static void compare(const struct skerry_copy_choice *choices, int contenders, size_t bytes, size_t offset,
                    double *nanoseconds) {
    if (bytes < LARGE_BYTES) compare_small(choices, contenders, bytes, offset, nanoseconds);
    else compare_large(choices, contenders, bytes, offset, nanoseconds);
}

// -- The loop ----------------------------------------------------------------------------------------------------------

static struct skerry_copy_choice loop_alone(const char *name) {
    struct skerry_copy_choice choice = {.stream_from = UINT64_MAX};
    snprintf(choice.loop, sizeof choice.loop, "%s", name);
    return choice;
}

static void tune_loop(struct skerry_copy_choice *choice) {
    static const size_t sizes[] = {24, 100, 250, 1000, 2048, 4096, 16384};
    enum { count_of_sizes = sizeof sizes / sizeof *sizes };
    struct skerry_copy_choice loops[contenders_max];
    double sums[contenders_max] = {0}, nanoseconds[contenders_max];
    int contenders = 0, best = 0, guessed = 0;
    const char *name;
    for (unsigned i = 0; (name = skerry_copy_loop(i)) && contenders < contenders_max; i++) {
        loops[contenders] = loop_alone(name);
        if (strcmp(name, choice->loop) == 0) guessed = contenders;
        contenders += skerry_copy_use(&loops[contenders]);
    }
    for (size_t size = 0; size < count_of_sizes; size++)
        for (size_t offset = 0; offset <= MISALIGNMENT; offset += MISALIGNMENT) {
            if (tune_is_late()) return;
            compare(loops, contenders, sizes[size], offset, nanoseconds);
            for (int i = 0; i < contenders; i++) sums[i] += log(nanoseconds[i]) / (2 * count_of_sizes);
        }
    for (int i = 1; i < contenders; i++)
        if (sums[i] < sums[best]) best = i;
    for (int i = 0; i < contenders; i++)
        tune_remark("loop %-12s %.2f of the best loop's time, 24 B to 16 KB", loops[i].loop, exp(sums[i] - sums[best]));
    if (sums[best] < sums[guessed] - WORTH_A_LOOP) memcpy(choice->loop, loops[best].loop, sizeof choice->loop);
}

// -- A string instruction ----------------------------------------------------------------------------------------------

#define SMALLEST_STRING 512
enum { string_sizes = 13 }; // 512 B to 2 MB

static double string_gain(const struct skerry_copy_choice *loop, size_t bytes, size_t offset) {
    struct skerry_copy_choice choices[] = {*loop, *loop};
    double nanoseconds[2];
    choices[1].string_below = UINT64_MAX;
    choices[1].string_unaligned = 1;
    compare(choices, 2, bytes, offset, nanoseconds);
    return log(nanoseconds[0] / nanoseconds[1]);
}

// Chooses the range of sizes in which the string instruction (on x86-64: rep movsq) gains most over the copy loop.
static void tune_string(struct skerry_copy_choice *choice) {
    struct skerry_copy_choice loop = loop_alone(choice->loop);
    double gains[string_sizes], best = 0, sum = 0;
    int first = 0, best_first = 0, best_end = 0;
    for (int i = 0; i < string_sizes; i++) {
        if (tune_is_late()) return;
        gains[i] = string_gain(&loop, (size_t)SMALLEST_STRING << i, 0);
        tune_remark("string instruction %.2f of the loop's time at %zu B", exp(-gains[i]),
                    (size_t)SMALLEST_STRING << i);
    }
    for (int i = 0; i < string_sizes; i++) {
        sum += gains[i] - WORTH_A_STRING;
        if (sum > best) {
            best = sum;
            best_first = first;
            best_end = i + 1;
        }
        if (sum <= 0) {
            sum = 0;
            first = i + 1;
        }
    }
    choice->string_from = choice->string_below = 0;
    choice->string_unaligned = 0;
    if (best_end == 0) return;
    // The string instruction is used for blocks of at least `string_from` and less than `string_below` bytes.
    // `string_below` is the first measured size above the best range.
    choice->string_from = (uint64_t)SMALLEST_STRING << best_first;
    choice->string_below = best_end == string_sizes ? UINT64_MAX : (uint64_t)SMALLEST_STRING << best_end;
    double misaligned = 0;
    for (int i = best_first; i < best_end; i += 2)
        misaligned += string_gain(&loop, (size_t)SMALLEST_STRING << i, MISALIGNMENT) - WORTH_A_STRING;
    choice->string_unaligned = misaligned > 0;
}

// -- Non-temporal stores -----------------------------------------------------------------------------------------------

// Two conditions decide the smallest size for which non-temporal stores are used:
// 1. The copy itself is faster than an ordinary copy.
// 2. The copy and a following read of all its lines together take hardly longer than with an ordinary copy.
//
// Condition 2 is needed because non-temporal stores leave no data in the caches. The receiver reads the data from
// memory. On a machine with a slow last-level cache, condition 1 alone would choose non-temporal stores for blocks of a
// few hundred KB. Each receiver would then need longer to read these blocks.
enum { stream_sizes = 6 }; // 512 KB to 16 MB

struct copy_and_read {
    double copy, both; // shortest nanoseconds
};

static struct copy_and_read time_both(const struct skerry_copy_choice *choice, size_t bytes) {
    struct copy_and_read shortest = {INFINITY, INFINITY};
    skerry_copy_use(choice);
    time_of(bytes, 0, LARGE_WARM_UP);
    for (int batch = 0; batch < LARGE_BATCHES && !tune_is_late(); batch++) {
        double began = tune_now();
        skerry_copy_bytes(dest, source, bytes);
        double copied = tune_now();
        for (size_t at = 0; at < bytes; at += SKERRY_LINE) (void)*(volatile char *)(dest + at);
        shortest.both = fmin(shortest.both, tune_now() - began);
        shortest.copy = fmin(shortest.copy, copied - began);
    }
    return shortest;
}

static bool is_stream_better(const struct skerry_copy_choice *choice, size_t bytes) {
    struct skerry_copy_choice ordinary = *choice, stream = *choice;
    ordinary.stream_from = UINT64_MAX;
    stream.stream_from = 0;
    struct copy_and_read by_stream = time_both(&stream, bytes), by_others = time_both(&ordinary, bytes);
    if (tune_is_late()) return false;
    double copy = by_stream.copy / by_others.copy, both = by_stream.both / by_others.both;
    tune_remark("non-temporal stores %.2f of the best other way's time at %zu B, %.2f with reading it", copy, bytes,
                both);
    return copy < STREAM_COPY_MOST && both < STREAM_BOTH_MOST;
}

// Finds the smallest size for non-temporal stores. Measures sizes from 16 MB down. Larger sizes are not measured; for
// them the guess stays.
static void tune_stream(struct skerry_copy_choice *choice) {
    size_t bytes = PLACE_BYTES;
    if (!is_stream_better(choice, bytes)) {
        if (!tune_is_late() && choice->stream_from <= PLACE_BYTES) choice->stream_from = 2 * PLACE_BYTES;
        return;
    }
    while (bytes > PLACE_BYTES >> (stream_sizes - 1) && is_stream_better(choice, bytes / 2)) bytes /= 2;
    choice->stream_from = bytes;
}

void tune_copies(struct skerry_copy_choice *choice) {
    if (!skerry_copy_loop(0) || !map_places()) return;
    tune_loop(choice);
    tune_string(choice);
    tune_stream(choice);
    munmap(dest, 2 * PLACE_BYTES + 4096);
}
