// SPDX-License-Identifier: BSD-3-Clause
// A histogram that is distributed over the PEs. Every PE draws random numbers and counts each one at the PE that has
// its bin, by an atomic increment that needs no action of that PE. Then each PE checks its bins: it draws the numbers
// of all PEs again.
#include <shmem.h>
#include <stdio.h>
#include <string.h>

enum { bins_per_pe = 64, draws = 20000 };

static uint64_t count[bins_per_pe]; // symmetric: bin b is number b % bins_per_pe of PE b / bins_per_pe
static uint64_t fullest, fullest_of_all;

// Draws a random number by Marsaglia's xorshift. Every PE begins with another state.
static uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t first_state(int pe) {
    return 0x9e3779b97f4a7c15u * ((uint64_t)pe + 1);
}

// Draws a bin as the mean of two random numbers, so that the bins in the middle are the fullest.
static uint64_t draw_bin(uint64_t *state, uint64_t bins) {
    const uint64_t one = draw(state) % bins, other = draw(state) % bins;
    return (one + other) / 2;
}

static int bins_are_right(int me, int pes) {
    uint64_t expected[bins_per_pe] = {0};
    for (int pe = 0; pe < pes; pe++) {
        uint64_t state = first_state(pe);
        for (int i = 0; i < draws; i++) {
            const uint64_t bin = draw_bin(&state, (uint64_t)pes * bins_per_pe);
            if (bin / bins_per_pe == (uint64_t)me) expected[bin % bins_per_pe]++;
        }
    }
    return memcmp(expected, count, sizeof count) == 0;
}

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    uint64_t state = first_state(me);
    for (int i = 0; i < draws; i++) {
        const uint64_t bin = draw_bin(&state, (uint64_t)pes * bins_per_pe);
        shmem_uint64_atomic_inc(&count[bin % bins_per_pe], (int)(bin / bins_per_pe));
    }
    shmem_barrier_all(); // completes all increments
    for (int i = 0; i < bins_per_pe; i++)
        if (count[i] > fullest) fullest = count[i];
    shmem_uint64_max_reduce(SHMEM_TEAM_WORLD, &fullest_of_all, &fullest, 1);
    const int right = bins_are_right(me, pes);
    if (!right) fprintf(stderr, "histogram: WRONG on PE %d\n", me);
    if (me == 0)
        printf("histogram: %d draws of each of %d PEs into %d bins, at most %llu in one\n", draws, pes,
               pes * bins_per_pe, (unsigned long long)fullest_of_all);
    shmem_finalize();
    return right ? 0 : 1;
}
