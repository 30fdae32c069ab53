// SPDX-License-Identifier: BSD-3-Clause
// A put and a get of 256 MB of memory that only its owner has return while the data is still under way. One of several tries must
// show it, because another program can take the processor from the call.
// pes: 2
// nodes: 1
// skip: epiphany
#include "segments.h"

#define BYTES ((size_t)256 << 20)
#define TRIES 20

static aos_segment_t own, other;

static bool returns_at_once(char *local, bool put) {
    aos_event_t done;
    if (put) REQUIRE_OK(aos_put(local, &other, 0, BYTES, &done));
    else REQUIRE_OK(aos_get(local, &other, 0, BYTES, &done));
    const int outcome = aos_event_test(&done);
    REQUIRE(outcome == 0 || outcome == 1, "the event has the error %d", outcome);
    REQUIRE_OK(aos_event_wait(&done));
    return outcome == 0;
}

int main(void) {
    segments_begin(0);
    char *memory = malloc(BYTES);
    REQUIRE(memory, "no memory");
    memset(memory, me + 1, BYTES);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), memory, BYTES, NULL));
    REQUIRE_OK(aos_segment_clone(&other, segment_id(right_of(me), 1), 0));
    barrier();
    if (me == 0) {
        for (int put = 0; put < 2; put++) {
            int tries = 0;
            while (!returns_at_once(memory, put))
                REQUIRE(++tries < TRIES, "%s waits for its data", put ? "aos_put" : "aos_get");
            REQUIRE(memory[0] == 2 && memory[BYTES - 1] == 2, "the get brought other data");
        }
    }
    barrier();
    return segments_end();
}
