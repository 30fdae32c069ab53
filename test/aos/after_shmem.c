// SPDX-License-Identifier: BSD-3-Clause
// AOS set up first and ended last, OpenSHMEM in between: neither ends the job for the other.
#include "segments.h"

static int64_t word;

int main(void) {
    aos_segment_t own, right;
    segments_begin(0);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), &word, 8, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    shmem_init();
    REQUIRE_OK(aos_postadd(&right, 0, 1));
    shmem_int64_wait_until(&word, SHMEM_CMP_EQ, 1);
    shmem_finalize();
    barrier();
    REQUIRE_OK(aos_postadd(&right, 0, 1));
    aos_event_t come;
    REQUIRE_OK(aos_event_set(&come, &word, AOS_EQUAL, 2));
    REQUIRE_OK(aos_event_wait(&come));
    return segments_end();
}
