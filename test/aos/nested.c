// SPDX-License-Identifier: BSD-3-Clause
// Calls of aos_init nest 32 deep, collective ones and others; the next one is refused. Each aos_finalize waits for all PEs if the
// aos_init that it ends did: the last one here does, so nobody returns from it before PE 0 has come.
#include "segments.h"

#define NESTED_MAX 32

static int64_t *came; // memory of no PE

int main(void) {
    REQUIRE_OK(aos_init(0));
    me = aos_my_pe();
    pes = aos_pe_count();
    segments_barrier_begin();
    came = barrier_word + 1;
    for (int depth = 1; depth < NESTED_MAX; depth++) REQUIRE_OK(aos_init(depth % 2 ? AOS_ALONE : 0));
    REQUIRE_ERROR(aos_init(AOS_ALONE), AOS_ERROR_MEMORY);
    REQUIRE_ERROR(aos_init(0), AOS_ERROR_MEMORY);
    for (int depth = 1; depth < NESTED_MAX; depth++) REQUIRE_OK(aos_finalize());
    barrier();
    if (me == 0) {
        test_sleep_ms(20);
        __atomic_store_n(came, 1, __ATOMIC_RELEASE);
    }
    REQUIRE_OK(aos_finalize());
    REQUIRE(__atomic_load_n(came, __ATOMIC_ACQUIRE) == 1, "aos_finalize did not wait for PE 0");
    REQUIRE_ERROR(aos_finalize(), AOS_ERROR_STATE);
    return 0;
}
