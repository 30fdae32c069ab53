// SPDX-License-Identifier: BSD-3-Clause
// The owner of memory that only it has dies by a signal while others put to it and get from it: the job says that the owner died, not
// that their access failed.
// pes: 2 3
// skip: epiphany
// expect-fail: PE 1 .* was killed by signal 9
#include "segments.h"

#include <signal.h>

#define BYTES 20000
#ifndef DIE
#define DIE() raise(SIGKILL)
#endif

int main(void) {
    segments_begin(0);
    char *memory = malloc(BYTES), *local = malloc(BYTES);
    REQUIRE(memory && local, "no memory");
    memset(memory, 1, BYTES);
    memset(local, 2, BYTES);
    aos_segment_t own, second;
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), memory, BYTES, NULL));
    REQUIRE_OK(aos_segment_clone(&second, segment_id(1, 1), 0));
    barrier();
    if (me == 1) {
        test_sleep_ms(5);
        DIE();
    }
    for (size_t bytes = 1;; bytes = bytes % BYTES + 1) {
        REQUIRE_OK(aos_put(local, &second, 0, bytes, NULL));
        REQUIRE_OK(aos_get(local, &second, 0, bytes, NULL));
    }
}
