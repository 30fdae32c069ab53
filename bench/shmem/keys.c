// SPDX-License-Identifier: BSD-3-Clause
// Sorts integers like the NAS benchmark IS and the benchmark ISx. Each PE owns a range of keys. How a round works:
// * Every PE makes random keys and orders them by owner.
// * For each owner, the PE reserves places in the owner's buffer by an atomic fetch-add, and puts the keys there.
// * Every PE sorts the keys that it received, by counting.
//
// Prints the seconds from the start of a round to the end of each of its parts, on the slowest PE.
//     keys [KEYS-OF-A-PE [ROUNDS]]
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEY_BITS 27
enum { part_make, part_count, part_exchange, part_sort, parts };

static const char *const names[parts] = {"make", "count", "exchange", "sort"};
static int me, pes;
static size_t keys_of_pe, room;
static int32_t *keys, *ordered;
static int32_t *arrived; // symmetric: the keys of this PE's range, which all PEs put here
static long *taken;      // symmetric: number of reserved places in `arrived`
static double *seconds, *slowest;
static long work[SHMEM_REDUCE_SYNC_SIZE];
static double work_array[SHMEM_REDUCE_MIN_WRKDATA_SIZE + parts];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int owner_of(int32_t key) {
    return (int)((int64_t)key * pes >> KEY_BITS);
}

static void make_keys(int round) {
    uint64_t state = (uint64_t)(me + 1) * 0x9e3779b97f4a7c15u + (uint64_t)round;
    for (size_t i = 0; i < keys_of_pe; ++i) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        keys[i] = (int32_t)(state >> (64 - KEY_BITS));
    }
}

// Orders the keys by owner: copies them into `ordered`, where the keys of PE `pe` begin at index begin[pe].
static void count_keys(size_t *begin) {
    memset(begin, 0, ((size_t)pes + 1) * sizeof *begin);
    for (size_t i = 0; i < keys_of_pe; ++i) begin[owner_of(keys[i]) + 1]++;
    for (int pe = 0; pe < pes; ++pe) begin[pe + 1] += begin[pe];
    size_t at[pes];
    memcpy(at, begin, sizeof at);
    for (size_t i = 0; i < keys_of_pe; ++i) ordered[at[owner_of(keys[i])]++] = keys[i];
}

static void exchange_keys(const size_t *begin) {
    for (int i = 0; i < pes; ++i) {
        const int pe = (me + i) % pes;
        const size_t count = begin[pe + 1] - begin[pe];
        const long place = shmem_long_atomic_fetch_add(taken, (long)count, pe);
        if ((size_t)place + count > room) {
            fprintf(stderr, "keys: PE %d has no room for its keys\n", pe);
            shmem_global_exit(1);
        }
        shmem_putmem(arrived + place, ordered + begin[pe], count * sizeof *arrived, pe);
    }
    shmem_barrier_all();
}

// Counts how often this PE received each key of its range. Ends the job if a key is outside this range.
static uint32_t *sort_keys(uint32_t *counts, size_t range, int32_t first) {
    memset(counts, 0, range * sizeof *counts);
    for (long i = 0; i < *taken; ++i) {
        if (owner_of(arrived[i]) != me) {
            fprintf(stderr, "keys: PE %d got key %d, which is not its own\n", me, (int)arrived[i]);
            shmem_global_exit(1);
        }
        counts[arrived[i] - first]++;
    }
    return counts;
}

int main(int argument_count, char **arguments) {
    shmem_init();
    me = shmem_my_pe(), pes = shmem_n_pes();
    keys_of_pe = argument_count > 1 ? (size_t)atol(arguments[1]) : (size_t)1 << 20;
    const int rounds = argument_count > 2 ? atoi(arguments[2]) : 5;
    room = keys_of_pe + keys_of_pe / 4 + 4096;
    keys = malloc(keys_of_pe * sizeof *keys), ordered = malloc(keys_of_pe * sizeof *ordered);
    size_t *begin = malloc(((size_t)pes + 1) * sizeof *begin);
    int32_t first = 0;
    while (owner_of(first) < me) first += 1; // smallest key of this PE
    const size_t range = ((size_t)1 << KEY_BITS) / (size_t)pes + 1;
    uint32_t *counts = malloc(range * sizeof *counts);
    arrived = shmem_malloc(room * sizeof *arrived), taken = shmem_malloc(sizeof *taken);
    seconds = shmem_malloc(parts * sizeof *seconds), slowest = shmem_malloc(parts * sizeof *slowest);
    if (!arrived || !taken || !seconds || !slowest || !counts || !keys || !ordered || !begin) return 1;
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) work[i] = SHMEM_SYNC_VALUE;
    double whole = 0;
    for (int round = 0; round <= rounds; ++round) { // round 0 is not counted: it touches the memory for the first time
        *taken = 0;
        shmem_barrier_all();
        const double start = now();
        make_keys(round);
        seconds[part_make] = now() - start;
        count_keys(begin);
        seconds[part_count] = now() - start;
        exchange_keys(begin);
        seconds[part_exchange] = now() - start;
        sort_keys(counts, range, first);
        seconds[part_sort] = now() - start;
        shmem_barrier_all();
        const double end = now() - start;
        shmem_double_max_to_all(slowest, seconds, parts, 0, 0, pes, work_array, work);
        if (round > 0) whole += end;
        if (me == 0) {
            printf("keys %d PEs %zu keys round %d:", pes, keys_of_pe, round);
            for (int part = 0; part < parts; ++part) printf(" %s %.4f", names[part], slowest[part]);
            printf(" all %.4f s\n", end);
        }
        shmem_barrier_all();
    }
    if (me == 0) printf("result keys %d %zu %.4g ns\n", pes, keys_of_pe * sizeof *keys, whole / rounds * 1e9);
    shmem_finalize();
    return 0;
}
