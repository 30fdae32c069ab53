// SPDX-License-Identifier: BSD-3-Clause
// A server that has jobs without a pause executes each of them once: here 50000 atomic operations, more than half the range
// of the tag that counts their arrivals. Messages are among them, behind which the server executes other jobs too.
// pes: 4
#include <aos.h>

#include "test.h"

enum { before = 500, after = 16000, last = 100 };

static int sum, next, seen[4 * last];

int main(void) {
    test_begin();
    aos_queue_t queue;
    REQUIRE(aos_init(0) == AOS_SUCCESS, "aos_init");
    if (me == 0) REQUIRE(aos_queue_create(&queue, 1, sizeof(int), 16, NULL, NULL) == AOS_SUCCESS, "no queue");
    else REQUIRE(aos_queue_clone(&queue, 1, 0) == AOS_SUCCESS, "no queue");
    shmem_barrier_all();
    if (me != 0) {
        for (int i = 0; i < before; i++) shmem_int_atomic_add(&sum, 1, 0);
        REQUIRE(aos_enqueue(&queue, &me, sizeof me) == AOS_SUCCESS, "enqueue");
        for (int i = 0; i < after; i++) shmem_int_atomic_add(&sum, 1, 0);
        shmem_quiet();
        for (int i = 0; i < last; i++) {
            const int number = shmem_int_atomic_fetch_add(&next, 1, 0);
            REQUIRE(number >= 0 && number < last * (pes - 1), "a fetch-add returned %d", number);
            shmem_int_atomic_add(&seen[number], 1, 0);
        }
    }
    shmem_barrier_all();
    if (me == 0) {
        REQUIRE(sum == (before + after) * (pes - 1), "the sum is %d", sum);
        for (int i = 0; i < last * (pes - 1); i++) REQUIRE(seen[i] == 1, "number %d was returned %d times", i, seen[i]);
        for (int i = 1; i < pes; i++) {
            int from = 0;
            REQUIRE(aos_dequeue(&queue, &from, sizeof from, NULL) == AOS_SUCCESS, "dequeue");
            REQUIRE(from > 0 && from < pes, "a message from %d", from);
        }
    }
    shmem_barrier_all();
    REQUIRE(aos_finalize() == AOS_SUCCESS, "aos_finalize");
    return test_end();
}
