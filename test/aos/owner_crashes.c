// SPDX-License-Identifier: BSD-3-Clause
// The owner of memory that only it has crashes while others put to it and get from it: the job says that the owner crashed, not that
// their access failed, and not that another PE did. A crash takes longer than SIGKILL: the owner first notes where it happened.
// The address sanitizer reports a crash itself and exits.
// pes: 2 3
// skip: epiphany asan
// expect-fail: ^oshrun: PE 1 .* was killed by signal 11 \(Segmentation fault: address 0x10\)
#include "segments.h"

#define BYTES 20000

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
        int *volatile nowhere = (int *)0x10;
        test_sleep_ms(5);
        *nowhere = 1;
    }
    for (size_t bytes = 1;; bytes = bytes % BYTES + 1) {
        REQUIRE_OK(aos_put(local, &second, 0, bytes, NULL));
        REQUIRE_OK(aos_get(local, &second, 0, bytes, NULL));
    }
}
