// SPDX-License-Identifier: BSD-3-Clause
// OpenSHMEM in the same program, set up before or after: a segment over the symmetric heap, puts of both in one memory, an event
// on a signal word.
// ways: 4:2:remote
#include "segments.h"

#include <shmemx.h>

static uint64_t signal_word;

static void together(int round) {
    aos_segment_t own, right;
    int64_t *heap = shmem_malloc(64 * sizeof *heap);
    void *queue_memory = shmem_align(AOS_QUEUE_ALIGNMENT, aos_queue_bytes(16, 4));
    char data[64];
    memset(heap, 0, 64 * sizeof *heap);
    signal_word = 0;
    shmem_barrier_all();
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, round), heap, 64 * sizeof *heap, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), round), 0));
    REQUIRE(aos_pointer(&right, 0, 8) == shmem_ptr(heap, right_of(me)), "the segment is elsewhere");
    memset(data, me + 1, sizeof data);
    REQUIRE_OK(aos_put(data, &right, 64, 64, NULL));
    shmem_putmem(heap + 32, data, 64, right_of(me));
    shmem_fence();
    shmem_signal_add(&signal_word, 1, right_of(me));
    aos_event_t come;
    REQUIRE_OK(aos_event_set(&come, (int64_t *)&signal_word, AOS_EQUAL, 1));
    REQUIRE_OK(aos_event_wait(&come));
    for (size_t i = 0; i < 64; i++)
        REQUIRE(((char *)heap)[64 + i] == left_of(me) + 1 && ((char *)heap)[256 + i] == left_of(me) + 1, "byte %zu", i);
    REQUIRE_OK(aos_postadd(&right, 0, 4)); // shmem waits for what AOS changes
    shmem_int64_wait_until(heap, SHMEM_CMP_EQ, 4);
    shmem_barrier_all();
    aos_condition_t five = {.offset = 0, .value = 5, .condition = AOS_EQUAL}; // and AOS for what shmem changes
    int64_t old;
    shmem_int64_atomic_inc(heap, right_of(me));
    REQUIRE_OK(aos_fetchclear_when(&own, 0, &five, &old, NULL));
    REQUIRE(old == 5, "the word was %ld", (long)old);
    aos_queue_t queue;
    REQUIRE_OK(aos_queue_create(&queue, segment_id(me, round + 50), 16, 4, queue_memory, NULL));
    REQUIRE_OK(aos_enqueue(&queue, data, 16));
    REQUIRE_OK(aos_dequeue(&queue, data, 16, NULL));
    REQUIRE_OK(aos_queue_destroy(&queue));
    shmem_barrier_all();
    REQUIRE_OK(aos_segment_destroy(&own));
    shmem_free(queue_memory);
    shmem_free(heap);
}

int main(void) {
    test_begin();
    REQUIRE_OK(aos_init(0));
    together(1);
    REQUIRE_OK(aos_finalize());
    shmem_barrier_all();
    void *block = shmemx_shared_malloc(100);
    REQUIRE_OK(aos_init(AOS_ALONE)); // again, and one inside another
    REQUIRE_OK(aos_init(0));
    aos_free(block);
    together(2);
    REQUIRE_OK(aos_finalize());
    together(3);
    shmem_finalize();
    REQUIRE_OK(aos_finalize());
    return 0;
}
