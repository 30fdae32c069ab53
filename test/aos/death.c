// SPDX-License-Identifier: BSD-3-Clause
// pes: 2 3 8
// expect-fail: PE 1 .* was killed by signal 9
// A PE that is killed in the middle of everything takes the job down, whatever the others wait for.
#include "segments.h"

#include <signal.h>

int main(void) {
    static int64_t words[4];
    aos_segment_t own, second;
    aos_queue_t queue;
    segments_begin(0);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), words, sizeof words, NULL));
    REQUIRE_OK(aos_segment_clone(&second, segment_id(1, 1), 0));
    if (me == 1) REQUIRE_OK(aos_queue_create(&queue, 5, 8, 2, NULL, NULL));
    else REQUIRE_OK(aos_queue_clone(&queue, 5, 0));
    barrier();
    if (me == 1) {
        test_sleep_ms(30);
        raise(SIGKILL);
    }
    int64_t old;
    aos_condition_t never = {.offset = 8, .value = 1, .condition = AOS_EQUAL};
    if (me == 0) REQUIRE_OK(aos_fetchadd_when(&second, 0, 1, &never, &old, NULL));
    for (;;) REQUIRE_OK(aos_enqueue(&queue, &old, 8));
}
