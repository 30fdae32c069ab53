// SPDX-License-Identifier: BSD-3-Clause
// The owner of memory that only it has dies by a signal while puts and gets of others go on behind their programs: the job says that
// the owner died.
// pes: 2 3
// skip: epiphany
// expect-fail: PE 1 .* was killed by signal 9
#include "segments.h"

#include <signal.h>

#define BYTES ((size_t)1 << 20)

int main(void) {
    segments_begin(0);
    char *memory = malloc(BYTES), *local = malloc(BYTES), *arrived = malloc(BYTES);
    REQUIRE(memory && local && arrived, "no memory");
    memset(memory, 1, BYTES);
    memset(local, 2, BYTES);
    aos_segment_t own, second;
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), memory, BYTES, NULL));
    REQUIRE_OK(aos_segment_clone(&second, segment_id(1, 1), 0));
    barrier();
    if (me == 1) {
        test_sleep_ms(20);
        raise(SIGKILL);
    }
    for (;;) {
        aos_event_t put, get;
        REQUIRE_OK(aos_put(local, &second, 0, BYTES, &put));
        REQUIRE_OK(aos_get(arrived, &second, 0, BYTES, &get));
        REQUIRE_OK(aos_event_wait(&get));
        REQUIRE_OK(aos_event_wait(&put));
    }
}
