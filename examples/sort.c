// SPDX-License-Identifier: BSD-3-Clause
// Sorts keys by a sample sort. Each PE sorts its own keys and takes evenly spaced samples of them. The samples of all
// PEs determine which range of keys each PE gets. Then every PE puts the pieces of its keys to the PEs that get them. A
// PE merges the pieces that it got by sorting them once more.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { keys = 20000, samples = 32 };

static uint32_t key[keys];
static uint32_t sample[samples];            // symmetric
static uint64_t got_keys, got_sum, had_sum; // symmetric; the totals over all PEs must be the same before and after
static uint64_t total_keys, total_sum, expected_sum;
static uint32_t smallest; // symmetric: the smallest of a PE's sorted keys

static int compare(const void *one, const void *other) {
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

static void sort(uint32_t *array, size_t length) {
    qsort(array, length, sizeof *array, compare);
}

static void *symmetric(size_t length, size_t size) {
    void *memory = shmem_calloc(length, size);
    if (memory != NULL) return memory;
    fprintf(stderr, "sort: PE %d: not enough symmetric memory\n", shmem_my_pe());
    shmem_global_exit(1);
    abort();
}

static void draw_keys(int me) {
    uint64_t state = 88172645463325252u + 1000003u * (uint64_t)me;
    for (int i = 0; i < keys; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        key[i] = (uint32_t)(state >> 32);
        had_sum += key[i];
    }
}

// Stores into first[pe] the index of the first of this PE's keys that goes to PE `pe`.
static void choose_pieces(uint64_t *first, int pes) {
    const size_t all = (size_t)pes * samples;
    uint32_t *everyones = symmetric(all, sizeof *everyones);
    for (int i = 0; i < samples; i++) sample[i] = key[i * keys / samples];
    shmem_uint32_fcollect(SHMEM_TEAM_WORLD, everyones, sample, samples);
    sort(everyones, all);
    size_t place = 0;
    for (int pe = 0; pe < pes; pe++) {
        const uint32_t splitter = everyones[(size_t)pe * samples];
        while (pe > 0 && place < keys && key[place] < splitter) place++;
        first[pe] = place;
    }
    first[pes] = keys;
    shmem_free(everyones);
}

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    const size_t count = (size_t)pes;
    draw_keys(me);
    sort(key, keys);
    uint64_t *first = symmetric(count + 1, sizeof *first);
    uint64_t *going = symmetric(count, sizeof *going), *coming = symmetric(count, sizeof *coming);
    uint64_t *start = symmetric(count, sizeof *start), *place = symmetric(count, sizeof *place);
    choose_pieces(first, pes);
    for (int pe = 0; pe < pes; pe++) going[pe] = first[pe + 1] - first[pe];
    shmem_uint64_alltoall(SHMEM_TEAM_WORLD, coming, going, 1); // numbers of keys from each PE
    for (int pe = 0; pe < pes; pe++) {
        start[pe] = got_keys; // the place where that PE's piece begins on this PE
        got_keys += coming[pe];
    }
    shmem_uint64_alltoall(SHMEM_TEAM_WORLD, place, start, 1); // where this PE's pieces begin on the other PEs
    uint64_t *most = symmetric(1, sizeof *most);
    shmem_uint64_max_reduce(SHMEM_TEAM_WORLD, most, &got_keys, 1);
    uint32_t *sorted = symmetric(*most, sizeof *sorted);
    for (int i = 0; i < pes; i++) {
        const int pe = (me + i) % pes; // so that not all PEs begin with the same PE
        shmem_uint32_put_nbi(sorted + place[pe], key + first[pe], going[pe], pe);
    }
    shmem_barrier_all(); // completes the puts
    sort(sorted, got_keys);

    for (uint64_t i = 0; i < got_keys; i++) got_sum += sorted[i];
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &total_keys, &got_keys, 1);
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &total_sum, &got_sum, 1);
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &expected_sum, &had_sum, 1);
    smallest = got_keys > 0 ? sorted[0] : UINT32_MAX;
    shmem_barrier_all();
    int right = total_keys == count * keys && total_sum == expected_sum;
    if (me + 1 < pes && got_keys > 0) right = right && sorted[got_keys - 1] <= shmem_uint32_g(&smallest, me + 1);
    if (!right) fprintf(stderr, "sort: WRONG on PE %d\n", me);
    if (me == 0)
        printf("sort: %llu keys on %d PEs, at most %.2f times as many as the mean on one\n",
               (unsigned long long)total_keys, pes, (double)*most / keys);
    shmem_finalize();
    return right ? 0 : 1;
}
