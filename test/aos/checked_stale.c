// SPDX-License-Identifier: BSD-3-Clause
// pes: 2
// check: yes
// expect-fail: skerry: PE 0: aos_postadd: segment 65537 of PE 1, offset 0: must not be used after it was destroyed
// When checking, an access through a clone of a segment that is gone is found also where it would not be otherwise.
#include "segments.h"

static int64_t words[8];

int main(void) {
    aos_segment_t own, right;
    segments_begin(0);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), words, sizeof words, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    barrier();
    if (me == 1) REQUIRE_OK(aos_segment_destroy(&own));
    barrier();
    if (me == 0) aos_postadd(&right, 0, 1);
    return segments_end();
}
