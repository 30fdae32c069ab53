// SPDX-License-Identifier: BSD-3-Clause
// pes: 2 3 4 8
// The owner of private memory is served while it computes, also where PEs have waited for nobody at set-up.
#include "segments.h"

int main(void) {
    aos_segment_t own, first;
    REQUIRE_OK(aos_init(AOS_ALONE));
    me = aos_my_pe();
    pes = aos_pe_count();
    int64_t *private = calloc(2, 8), old;
    if (me == 0) {
        REQUIRE_OK(aos_segment_create(&own, segment_id(0, 1), private, 16, NULL));
        volatile int64_t *count = private;
        while (__atomic_load_n(count, __ATOMIC_ACQUIRE) < pes - 1) continue; // no call of the library
    } else {
        REQUIRE_OK(aos_segment_clone(&first, segment_id(0, 1), 0));
        REQUIRE_OK(aos_fetchadd(&first, 8, 1, &old, NULL));
        REQUIRE_OK(aos_fetchadd(&first, 0, 1, &old, NULL));
    }
    REQUIRE_OK(aos_finalize());
    return 0;
}
