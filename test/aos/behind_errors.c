// SPDX-License-Identifier: BSD-3-Clause
// The owner of a segment unmaps a part of its memory. A put or get behind the program that reaches this part fails: the wait for its
// event returns the error. If nobody waits for the event, a fence returns it, and only one.
// pes: 2 3
// skip: epiphany
#include "segments.h"

#include <sys/mman.h>

static aos_segment_t own, right;

int main(void) {
    aos_event_t done, second;
    segments_begin(0);
    // Between nodes each 8 KB take a message and its answer.
    const size_t bytes = (size_t)(segments_have_nodes() ? 256 : 1024) << 10;
    const int rounds = segments_have_nodes() ? 4 : 100; // more than there are places for failed transfers
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
         *local = malloc(bytes);
    REQUIRE(memory != MAP_FAILED && local, "no memory");
    memset(local, 1, bytes);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), memory, bytes, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), 1), 0));
    REQUIRE(munmap(memory + bytes / 2, bytes / 2) == 0, "munmap failed");
    barrier();
    for (int round = 0; round < rounds; round++) {
        const int outcome =
            round % 2 ? aos_put(local, &right, 0, bytes, &done) : aos_get(local, &right, 0, bytes, &done);
        REQUIRE(outcome == AOS_SUCCESS, "a transfer behind the program failed at once: %d", outcome);
        REQUIRE_OK(aos_put(local, &right, 0, bytes / 2, &second));
        REQUIRE_ERROR(aos_event_wait(&done), AOS_ERROR_FAULT);
        REQUIRE_OK(aos_event_wait(&second));
        REQUIRE_OK(aos_fence(&right, NULL));
    }
    REQUIRE_OK(aos_put(local, &right, 0, bytes, &done));
    REQUIRE_ERROR(aos_fence(&right, NULL), AOS_ERROR_FAULT);
    REQUIRE_OK(aos_fence(&right, NULL));
    REQUIRE_OK(aos_get(local, &right, 0, bytes, &done));
    REQUIRE_ERROR(aos_fence_all(NULL), AOS_ERROR_FAULT);
    REQUIRE_OK(aos_fence_all(NULL));
    // The first byte is found to be wrong before the call returns. This is only promised inside a node.
    if (!segments_have_nodes()) REQUIRE_ERROR(aos_put(local, &right, bytes / 2, bytes / 2, &done), AOS_ERROR_FAULT);
    return segments_end();
}
