// SPDX-License-Identifier: BSD-3-Clause
// Calls of aos_init nest 32 deep, collective ones and others; the next one is refused. Each aos_finalize waits for all PEs if the
// aos_init that it ends did: the last one here does, so nobody returns from it before PE 0 has come.
#include "segments.h"

#define NESTED_MAX 32

static int64_t came; // PE 0 sets it in all PEs

static void tell_all(void) {
    test_sleep_ms(20);
    for (int pe = 0; pe < pes; pe++) {
        aos_segment_t other;
        REQUIRE_OK(aos_segment_clone(&other, segment_id(pe, 1), 0));
        REQUIRE_OK(aos_poke(&other, 0, 1));
    }
}

int main(void) {
    REQUIRE_OK(aos_init(0));
    me = aos_my_pe();
    pes = aos_pe_count();
    segments_barrier_begin();
    aos_segment_t own;
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), &came, sizeof came, NULL));
    for (int depth = 1; depth < NESTED_MAX; depth++) REQUIRE_OK(aos_init(depth % 2 ? AOS_ALONE : 0));
    REQUIRE_ERROR(aos_init(AOS_ALONE), AOS_ERROR_MEMORY);
    REQUIRE_ERROR(aos_init(0), AOS_ERROR_MEMORY);
    for (int depth = 1; depth < NESTED_MAX; depth++) REQUIRE_OK(aos_finalize());
    barrier();
    if (me == 0) tell_all();
    REQUIRE_OK(aos_finalize());
    REQUIRE(__atomic_load_n(&came, __ATOMIC_ACQUIRE) == 1, "aos_finalize did not wait for PE 0");
    REQUIRE_ERROR(aos_finalize(), AOS_ERROR_STATE);
    return 0;
}
