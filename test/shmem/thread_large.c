// SPDX-License-Identifier: BSD-3-Clause
// Threads of every PE put and get blocks of 1 byte to 300 KB at once, each to its own place: what a thread has quieted is
// there, also if other threads have transfers under way that take longer. On several nodes such blocks are
// gathered, or are messages of their own, or the receiver pulls them.
// threads: yes
// pes: 1 2 4 7
// skip: epiphany example (no threads)
// ways: 4:2:remote 4:2:emulated
#include "threads.h"

#define BYTES 300000
#define ROUNDS 40

static unsigned char *places; // symmetric: a place for each thread
static long flags[THREADS];

static unsigned char byte_of(int pe, int number, long round, size_t at) {
    return (unsigned char)(pe * 31 + number * 7 + round * 3 + (long)(at * 2654435761u >> 13));
}

static size_t size_of(int number, long round) {
    static const size_t sizes[] = {1, 4096, 4097, 60000, 65536, 65537, 200000, BYTES};
    return sizes[(size_t)(number + round) % TEST_COUNT(sizes)];
}

static void work(int number) {
    unsigned char *place = places + (size_t)number * BYTES, *own = malloc(BYTES), *back = malloc(BYTES);
    REQUIRE(own && back, "no memory");
    const int to = (me + pes / 2) % pes;
    for (long round = 1; round <= ROUNDS; round++) {
        const size_t bytes = size_of(number, round);
        for (size_t i = 0; i < bytes; i++) own[i] = byte_of(me, number, round, i);
        if (round % 2) shmem_putmem(place, own, bytes, to);
        else shmem_putmem_nbi(place, own, bytes, to);
        shmem_quiet();
        shmem_long_p(&flags[number], round, to);
        memset(back, 0, bytes);
        if (round % 3) {
            shmem_getmem(back, place, bytes, to);
        } else {
            shmem_getmem_nbi(back, place, bytes, to);
            shmem_quiet();
        }
        for (size_t i = 0; i < bytes; i++)
            REQUIRE(back[i] == own[i], "thread %d, round %ld: byte %zu of %zu is wrong", number, round, i, bytes);
    }
    shmem_quiet();
    free(own);
    free(back);
}

int main(void) {
    test_begin_threads();
    places = shmem_malloc((size_t)THREADS * BYTES);
    REQUIRE(places, "no memory");
    shmem_barrier_all();
    test_run_threads(work);
    shmem_barrier_all();
    for (int i = 0; i < THREADS; i++) REQUIRE(flags[i] == ROUNDS, "thread %d: the last flag is %ld", i, flags[i]);
    shmem_free(places);
    return test_end();
}
