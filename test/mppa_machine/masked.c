// SPDX-License-Identifier: BSD-3-Clause
// Threads of a PE mask remote procedure calls and unmask them again, while other PEs call it: no call runs while a thread has masked
// calls, and each call runs.
// pes: 2 4
// flags: -fopenmp
#include "test.h"

#include <omp.h>
#include <shmemx.h>

enum { rounds = 300, threads = 5 };

static volatile int inside; // threads that have masked calls
static long calls, wrong;

static long call(long *count) {
    count = localize(count);
    if (inside != 0) wrong++;
    for (volatile int i = 0; i < 5; i++) continue;
    if (inside != 0) wrong++;
    return ++*count; // one call runs at a time
}
RPC(call)

static unsigned next_random(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void mask_and_unmask(void) {
    unsigned state = (unsigned)omp_get_thread_num();
    for (int i = 0; i < rounds; i++) {
        shmemx_rpc_mask();
        __atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST);
        for (volatile unsigned wait = next_random(&state) % 40; wait > 0; wait--) continue;
        __atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
        shmemx_rpc_unmask();
        for (volatile unsigned wait = next_random(&state) % 200; wait > 0; wait--) continue;
    }
}

int main(void) {
    int provided;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    me = shmem_my_pe(), pes = shmem_n_pes();
    shmem_barrier_all();
    if (me == 0) {
#pragma omp parallel num_threads(threads)
        mask_and_unmask();
    } else {
        for (int i = 0; i < rounds; i++) {
            shmemx_rpc_class(i % 3);
            call_rpc(shmemx_global(&calls, 0));
        }
    }
    shmem_barrier_all();
    if (me == 0) REQUIRE(calls == rounds * (pes - 1L) && wrong == 0, "%ld calls, %ld wrong ones", calls, wrong);
    return test_end();
}
