// SPDX-License-Identifier: BSD-3-Clause
// Times a loop in batches of many turns. PE 0 doubles the number of turns until a batch is long compared with the cost
// of reading the clock. The batch is still short compared with other activity of the machine. Then PE 0 repeats the
// batch until the time of the measurement is used. The few batches that an interrupt lengthens do not change the
// median.
#define _GNU_SOURCE
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

enum { batches_max = 4096, batches_min = 5, sizes_max = 64, names_max = 32, pattern_period = 251 };

int bench_me, bench_pes;

static struct {
    double seconds; // for one measurement
    size_t sizes[sizes_max];
    int size_count;
    const char *names[names_max];
    bool asked[names_max]; // true if the program asked for this name by measure_wanted
    int name_count;
} options = {.seconds = 0.1};

static const char *program = "bench";
static double batch_seconds = 100e-6;
static bool oversubscribed; // more PEs than processors
static long *order; // number of turns of the next batch; 0 ends the measurement; PE 0 writes it into each PE's memory
static long *turn;  // number of the newest batch that PE 0 has started; PE 0 writes it into PE 1's memory
static double *durations; // seconds that each PE's last batch took; each PE writes its element in PE 0's memory
static double *starts;    // seconds at which each PE's last batch began; each PE writes its element in PE 0's memory
static int *awake;        // 1 ends the wait of a PE that takes no part in the measurement; PE 0 writes it
static double samples[batches_max];

static void refuse(const char *what, const char *why) {
    if (bench_me == 0) fprintf(stderr, "%s: %s: %s\n", program, what, why);
    shmem_global_exit(2);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Pins this PE to a processor of its own if the launcher has not pinned it. If there are more PEs than processors, pins
// no PE and makes a batch last several time slices of the scheduler. In a shorter batch a PE can keep its processor by
// chance. The median would then be the time of such batches.
static void pin(void) {
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    const int processors = CPU_COUNT(&allowed) > 1 ? CPU_COUNT(&allowed) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (bench_pes > processors) {
        batch_seconds = 2e-3;
        oversubscribed = true;
        return;
    }
    int rank = bench_me;
    for (size_t processor = 0; processor < CPU_SETSIZE && CPU_COUNT(&allowed) >= bench_pes && bench_pes > 1;
         ++processor) {
        if (!CPU_ISSET(processor, &allowed) || rank-- > 0) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        sched_setaffinity(0, sizeof one, &one);
        return;
    }
#endif
}

static void read_sizes(const char *text) {
    const char *place = text;
    for (;;) {
        char *end;
        const unsigned long long size = strtoull(place, &end, 10);
        if (end == place || size == 0 || size > BENCH_BYTES_MAX || options.size_count == sizes_max)
            refuse(text, "must be a list of sizes with commas between them: at most 64, each 1 to 16777216 bytes");
        options.sizes[options.size_count++] = (size_t)size;
        if (*end == '\0') return;
        place = end + (*end == ',');
    }
}

static void read_options(int count, char **words) {
    for (int i = 1; i < count; ++i) {
        const bool has_value = i + 1 < count;
        if (strcmp(words[i], "--seconds") == 0 && has_value) {
            options.seconds = atof(words[++i]);
            if (!(options.seconds > 0 && options.seconds < 3600)) refuse(words[i], "seconds must be above 0");
        } else if (strcmp(words[i], "--sizes") == 0 && has_value) {
            read_sizes(words[++i]);
        } else if (words[i][0] == '-' || options.name_count == names_max) {
            refuse(words[i], "use: [--seconds S] [--sizes N,N,...] [NAME...]");
        } else {
            options.names[options.name_count++] = words[i];
        }
    }
    const bool sizes_given = options.size_count > 0;
    for (size_t size = 8; !sizes_given && size <= BENCH_BYTES_MAX; size *= 2)
        options.sizes[options.size_count++] = size;
}

void measure_start(int argument_count, char **arguments) {
    const char *slash = strrchr(arguments[0], '/');
    program = slash ? slash + 1 : arguments[0];
    shmem_init();
    bench_me = shmem_my_pe();
    bench_pes = shmem_n_pes();
    read_options(argument_count, arguments);
    pin();
    order = shmem_malloc(64);
    turn = shmem_malloc(64);
    awake = shmem_malloc(64);
    durations = shmem_malloc((size_t)bench_pes * sizeof *durations);
    starts = shmem_malloc((size_t)bench_pes * sizeof *starts);
    if (!order || !turn || !awake || !durations || !starts) refuse("symmetric heap", "too small");
    *order = *turn = *awake = 0;
    shmem_barrier_all();
    if (bench_me != 0) return;
    char name[SHMEM_MAX_NAME_LEN + 1];
    int major, minor;
    shmem_info_get_name(name);
    shmem_info_get_version(&major, &minor);
    printf("implementation %d.%d %s\n", major, minor, name);
    fflush(stdout);
}

bool measure_wanted(const char *name) {
    if (options.name_count == 0) return true;
    bool wanted = false;
    for (int i = 0; i < options.name_count; ++i)
        if (strcmp(options.names[i], name) == 0) options.asked[i] = wanted = true;
    return wanted;
}

static int ascending(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_result(const struct measurement *m, int count) {
    qsort(samples, (size_t)count, sizeof *samples, ascending);
    const double scale = 1e9 / (m->divisor > 0 ? m->divisor : 1);
    const double middle = count % 2 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
    printf("result %s %d %zu %.4g ns %.4g %.4g %d\n", m->name, bench_pes, m->bytes, middle * scale,
           samples[count / 4] * scale, samples[count - 1 - count / 4] * scale, count);
    fflush(stdout);
}

// Runs one batch on PE 0. Returns its time in seconds.
static double batch_first(const struct measurement *m, long count) {
    const double start = now();
    m->loop(m, count);
    return now() - start;
}

// Runs one batch on PEs 0 and 1. PE 0 calls this function while PE 1 is in follow_pair. Returns PE 0's time in seconds.
// PE 0 starts PE 1 by writing two words. PE 0 cannot use a barrier for this, because the other PEs are in follow_idle.
// When PE 0 starts its loop, PE 1 is in its own loop or about to enter it. If PE 1 starts late, only the first of
// several hundred iterations takes longer.
static double batch_pair(const struct measurement *m, long count) {
    shmem_long_p(order, count, 1);
    shmem_fence();
    shmem_long_p(turn, ++*turn, 1);
    shmem_quiet();
    return count > 0 ? batch_first(m, count) : 0;
}

static void follow_pair(const struct measurement *m) {
    static long number; // of the batch; not read from *turn, which PE 0 can already have changed
    for (;;) {
        shmem_long_wait_until(turn, SHMEM_CMP_GE, ++number);
        const long count = *order;
        if (count == 0) return;
        m->loop(m, count);
    }
}

// Runs one batch on all PEs. Every PE calls this function, and PE 0 sends its `count` to all PEs. Returns the batch's
// time in seconds on PE 0: the slowest PE's time, or with `together` the time from the first start to the last end. If
// PE 0's `count` is 0, the measurement ends, and the function returns a negative number on all PEs. All PEs have read
// `count` before the second barrier ends, so PE 0 can write the next count after this barrier.
static double batch_all(const struct measurement *m, long count) {
    for (int pe = 0; bench_me == 0 && pe < bench_pes; ++pe) shmem_long_p(order, count, pe);
    shmem_barrier_all();
    const long turns = *order;
    if (turns == 0) return -1;
    const double start = now();
    m->loop(m, turns);
    shmem_double_p(&durations[bench_me], now() - start, 0);
    shmem_double_p(&starts[bench_me], start, 0);
    shmem_barrier_all();
    double longest = 0, first = start, last = 0;
    for (int pe = 0; bench_me == 0 && pe < bench_pes; ++pe) {
        if (durations[pe] > longest) longest = durations[pe];
        if (starts[pe] < first) first = starts[pe];
        if (starts[pe] + durations[pe] > last) last = starts[pe] + durations[pe];
    }
    return m->together && bench_me == 0 ? last - first : longest;
}

static void follow_all(const struct measurement *m) {
    while (batch_all(m, 0) >= 0) {
    }
}

// Waits until PE 0 has measured. Called by a PE that takes no part in the measurement. The PE waits inside the library.
// In some implementations a put completes only while its target PE is in a library call. But if PEs share processors,
// such a wait would use PE 0's processor time. In this case the PE sleeps and polls once a millisecond.
static void follow_idle(void) {
    if (oversubscribed)
        while (!shmem_int_test(awake, SHMEM_CMP_EQ, 1)) usleep(1000);
    else shmem_int_wait_until(awake, SHMEM_CMP_EQ, 1);
    *awake = 0;
}

typedef double batch_function(const struct measurement *, long count);

// Returns a number of turns for which three batches in a row were long enough. One long batch is not enough, because an
// interrupt possibly lengthened it.
static long calibrate(batch_function *batch, const struct measurement *m) {
    long turns = 1;
    for (int long_enough = 0; long_enough < 3 && turns < 1L << 40;) {
        if (batch(m, turns) >= batch_seconds) {
            ++long_enough;
        } else {
            long_enough = 0;
            turns *= 2;
        }
    }
    return turns;
}

static int lead(const struct measurement *m) {
    batch_function *const batch = m->who == who_first ? batch_first : m->who == who_pair ? batch_pair : batch_all;
    const long turns = calibrate(batch, m);
    const double start = now();
    int count = 0;
    while (count < batches_max && (count < batches_min || now() - start < options.seconds))
        samples[count++] = batch(m, turns) / (double)turns;
    if (m->who != who_first) batch(m, 0);
    for (int pe = m->who == who_pair ? 2 : 1; m->who != who_all && pe < bench_pes; ++pe) shmem_int_p(awake, 1, pe);
    return count;
}

// Runs the measurement's check on every PE; every PE must call this function. Returns false on PE 0 if the check failed
// on any PE. Returns true in all other cases, and always on the other PEs. `measure` prints no time if the result is
// false.
static bool right_everywhere(const struct measurement *m) {
    shmem_double_p(&durations[bench_me], m->verify && !m->verify(m) ? -1 : 0, 0);
    shmem_barrier_all();
    bool right = true;
    for (int pe = 0; bench_me == 0 && pe < bench_pes; ++pe)
        if (durations[pe] < 0) right = false;
    return right;
}

void measure(struct measurement m) {
    if (m.who == who_pair && bench_pes < 2) {
        measure_skip(m.name, "needs two PEs");
        return;
    }
    m.peer = bench_pes > 1 ? 1 : 0;
    int count = 0;
    shmem_barrier_all();
    if (bench_me == 0) count = lead(&m);
    else if (m.who == who_all) follow_all(&m);
    else if (m.who == who_pair && bench_me == 1) follow_pair(&m);
    else follow_idle();
    shmem_barrier_all();
    const bool right = right_everywhere(&m);
    if (bench_me == 0 && right) print_result(&m, count);
    if (bench_me == 0 && !right) printf("wrong %s %d %zu\n", m.name, bench_pes, m.bytes);
    shmem_barrier_all();
}

void measure_sizes(struct measurement m, size_t unit, size_t blocks) {
    for (int i = 0; i < options.size_count; ++i) {
        m.bytes = options.sizes[i];
        if (m.bytes % unit == 0 && m.bytes * blocks <= BENCH_BYTES_MAX) measure(m);
    }
}

size_t measure_most(size_t blocks) {
    size_t most = 0;
    for (int i = 0; i < options.size_count; ++i) {
        const size_t bytes = options.sizes[i] * blocks;
        if (bytes > most && bytes <= BENCH_BYTES_MAX) most = bytes;
    }
    return most + 4096;
}

void measure_skip(const char *name, const char *reason) {
    if (bench_me == 0) printf("skipped %s: %s\n", name, reason);
}

void measure_end(void) {
    for (int i = 0; i < options.name_count; ++i)
        if (!options.asked[i]) refuse(options.names[i], "is no measurement of this program");
    shmem_barrier_all();
    shmem_finalize();
}

uint8_t measure_pattern(size_t index, int pe) {
    return (uint8_t)((index + 7 * (size_t)pe) % pattern_period + 1);
}

void *measure_buffer(size_t bytes) {
    // The buffer is aligned here and not by shmem_align, because blocks from shmem_align overlap in some
    // implementations. All PEs add the same offset, because every symmetric heap begins at a page.
    const size_t page = 4096;
    uint8_t *buffer = shmem_malloc(bytes + page);
    if (!buffer) refuse("symmetric heap", "too small");
    buffer += (page - (uintptr_t)buffer % page) % page;
    for (size_t i = 0; i < bytes; ++i) buffer[i] = measure_pattern(i, bench_me);
    return buffer;
}

bool measure_holds(const void *buffer, size_t bytes, size_t first_index, int pe) {
    uint8_t expected = measure_pattern(first_index, pe);
    for (size_t i = 0; i < bytes; ++i) {
        if (((const uint8_t *)buffer)[i] != expected) return false;
        expected = expected == pattern_period ? 1 : (uint8_t)(expected + 1);
    }
    return true;
}
