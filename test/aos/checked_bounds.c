// SPDX-License-Identifier: BSD-3-Clause
// pes: 2
// check: yes
// expect-fail: skerry: PE 0: aos_put: segment 65537 of PE 1: offset 60 and the 8 bytes from there on must lie inside its 64 bytes
// When checking, an access out of bounds ends the job with a line that says which.
#include "segments.h"

static int64_t words[8];

int main(void) {
    aos_segment_t own, right;
    segments_begin(0);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), words, sizeof words, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    if (me == 0) aos_put(words, &right, 60, 8, NULL);
    return segments_end();
}
