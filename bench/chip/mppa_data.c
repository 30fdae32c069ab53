// SPDX-License-Identifier: BSD-3-Clause
// Measures what table 1 and figures 2 and 3 of Hascoet et al. (2017) show of clusters' memories (SMEM), by OpenSHMEM: puts
// to the next cluster, and puts and gets of 1 to 15 clusters at the memory of the last one. Puts and gets that do not block
// are completed by one quiet. Names end with _blocking if each put has its own quiet.
#include "mppa.h"

#define MOST 65536
#define LARGEST 262144
static uint8_t local[LARGEST] __attribute__((aligned(8))), there[LARGEST] __attribute__((aligned(8)));

static unsigned turns_of(size_t bytes) {
    return bytes <= 16384 ? 16 : bytes <= 65536 ? 4 : 2;
}

static void put(size_t bytes, unsigned turns, int pe) {
    for (unsigned i = 0; i < turns; i++) shmem_putmem_nbi(there, local, bytes, pe);
    shmem_quiet();
}

static void get(size_t bytes, unsigned turns, int pe) {
    for (unsigned i = 0; i < turns; i++) shmem_getmem_nbi(local, there, bytes, pe);
    shmem_quiet();
}

static unsigned turns_blocking(size_t bytes) {
    return bytes <= 1024 ? 4 : 1;
}

static void put_blocking(size_t bytes, unsigned turns, int pe) {
    for (unsigned i = 0; i < turns; i++) {
        shmem_putmem(there, local, bytes, pe);
        shmem_quiet();
    }
}

static void get_blocking(size_t bytes, unsigned turns, int pe) {
    for (unsigned i = 0; i < turns; i++) shmem_getmem(local, there, bytes, pe);
}

static void measure_table1(int me) {
    static const uint32_t sizes[] = {1024, 4096, 16384, 65536, LARGEST};
    static const int counts[] = {4, 8, 16};
    for (unsigned c = 0; c < 3; c++)
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const int row = me / 4 * 4, right = row + (me + 1) % 4, left = row + (me + 3) % 4;
            fill(local, sizes[i], me);
            MEASURE("neighbour", counts[c], sizes[i], turns_of(sizes[i]), put(sizes[i], turns_of(sizes[i]), right));
            must_hold(me >= counts[c] || has(there, sizes[i], left), "neighbour");
        }
}

static void measure_memory(int me, int pes) {
    static const uint32_t sizes[] = {8, 64, 256, 1024, 2048, 4096, 8192, 16384, 32768, MOST};
    static const int counts[] = {1, 2, 4, 8, 15};
    for (unsigned c = 0; c < 5 && counts[c] < pes; c++)
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const uint32_t bytes = sizes[i];
            const int active = counts[c];
            fill(local, bytes, 3);
            MEASURE("put", active, bytes, turns_of(bytes), put(bytes, turns_of(bytes), pes - 1));
            const unsigned turns = turns_blocking(bytes);
            MEASURE("put_blocking", active, bytes, turns, put_blocking(bytes, turns, pes - 1));
            must_hold(me != pes - 1 || has(there, bytes, 3), "put");
            fill(local, bytes, 5);
            MEASURE("get", active, bytes, turns_of(bytes), get(bytes, turns_of(bytes), pes - 1));
            must_hold(me >= active || has(local, bytes, 3), "get");
            fill(local, bytes, 5);
            MEASURE("get_blocking", active, bytes, turns, get_blocking(bytes, turns, pes - 1));
            must_hold(me >= active || has(local, bytes, 3), "get_blocking");
        }
}

int main(void) {
    shmem_init();
    measure_table1(shmem_my_pe());
    measure_memory(shmem_my_pe(), shmem_n_pes());
    shmem_finalize();
    return 0;
}
