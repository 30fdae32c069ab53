// SPDX-License-Identifier: BSD-3-Clause
// pes: 2 3 4 8
// env: SKERRY_NO_CROSS_MEMORY=1
// A PE that has made no segment is asked through aos_segment_of_pe: while it computes, while it waits in OpenSHMEM, and while it
// is in shmem_finalize.
#include "segments.h"

#include <unistd.h>

static int64_t *places[2];

int main(void) {
    int64_t old;
    aos_segment_t first;
    test_begin();
    segments_begin(0);
    if (me == 0) places[0] = calloc(4, sizeof(int64_t));
    barrier();
    shmem_get64(&places[1], &places[0], 1, 0);
    uint64_t at = (uint64_t)(uintptr_t)places[1];
    REQUIRE_OK(aos_segment_of_pe(&first, 0, 0));
    if (me == 0) {
        while (__atomic_load_n(places[0], __ATOMIC_ACQUIRE) < pes - 1) continue; // no call of the library
    } else {
        REQUIRE_OK(aos_fetchadd(&first, at, 1, &old, NULL));
    }
    shmem_barrier_all();
    if (me != 0) REQUIRE_OK(aos_fetchadd(&first, at + 8, 1, &old, NULL));
    shmem_barrier_all();
    if (me == 0) REQUIRE(places[0][1] == pes - 1, "%ld atomics came in the barrier", (long)places[0][1]);
    if (me != 0) {
        usleep(50000); // PE 0 sleeps by now
        REQUIRE_OK(aos_put(&old, &first, at + 16, sizeof old, NULL));
        REQUIRE_OK(aos_fetchadd(&first, at + 24, 1, &old, NULL));
    }
    shmem_finalize();
    return segments_end();
}
