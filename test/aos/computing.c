// SPDX-License-Identifier: BSD-3-Clause
// pes: 2 3 4 8
// env: SKERRY_NO_CROSS_MEMORY=1
// The owner of private memory is served while it computes, or waits in OpenSHMEM: by an interruption and by every wait.
#include "segments.h"

#define BYTES 200000

int main(void) {
    aos_segment_t own, first;
    test_begin();
    segments_begin(0);
    char *private = calloc(1, BYTES), *source = malloc(BYTES);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), private, BYTES, NULL));
    REQUIRE_OK(aos_segment_clone(&first, segment_id(0, 1), 0));
    barrier();
    volatile int64_t *count = (volatile int64_t *)(void *)private;
    if (me == 0) {
        while (__atomic_load_n(count, __ATOMIC_ACQUIRE) < pes - 1) continue; // no call of the library
    } else {
        memset(source, me, BYTES);
        REQUIRE_OK(aos_put(source, &first, 64, BYTES - 64, NULL));
        aos_condition_t always = {.offset = 8, .value = 0, .condition = AOS_GREATER_EQUAL};
        REQUIRE_OK(aos_postadd_when(&first, 8, 1, &always, NULL));
        REQUIRE_OK(aos_fence(&first, NULL));
        REQUIRE_OK(aos_postadd(&first, 0, 1));
    }
    if (me == 0) REQUIRE(count[1] == pes - 1, "%ld conditional atomics came before", (long)count[1]);
    int64_t old;
    if (me != 0) REQUIRE_OK(aos_fetchadd(&first, 16, 1, &old, NULL));
    shmem_barrier_all(); // PE 0 serves in it
    if (me == 0) REQUIRE(count[2] == pes - 1, "%ld atomics came in the barrier", (long)count[2]);
    shmem_barrier_all();
    REQUIRE_OK(aos_segment_destroy(&own));
    free(private);
    free(source);
    segments_end();
    return test_end();
}
