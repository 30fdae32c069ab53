// SPDX-License-Identifier: BSD-3-Clause
// pes: 2
// check: yes
// expect-fail: skerry: PE 0: aos_put: segment 65537 of PE 1: must have been created with the protocol that this routine needs
// When checking, an access of a kind that the segment was not created for ends the job with a line that says so.
#include "segments.h"

static int64_t words[8];

int main(void) {
    aos_segment_t own, right;
    const aos_options_t atomics_only = {.protocols = AOS_ATOMIC};
    segments_begin(0);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), words, sizeof words, &atomics_only));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    if (me == 0) aos_put(words, &right, 0, 8, NULL);
    return segments_end();
}
