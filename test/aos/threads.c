// SPDX-License-Identifier: BSD-3-Clause
// pes: 1 2 3 4 8
// threads: yes
// Threads of a PE at once: making and finding segments, putting, fetching, waiting for conditions, enqueuing and dequeuing.
// ways: 4:2:remote
#include "segments.h"

#include "../shmem/threads.h"

#define PRIVATE_BYTES 4096

static aos_segment_t first, first_private;
static aos_queue_t shared_queue, own_queue;
static int64_t words[8];
static int64_t *private_words;
static int rounds;

static void make_and_find(int thread) {
    for (int i = 0; i < rounds / 4; i++) {
        aos_segment_t own, found;
        uint64_t id = segment_id(me, 1000 + thread * 1000 + i);
        REQUIRE_OK(aos_segment_create(&own, id, words, sizeof words, NULL));
        REQUIRE_OK(aos_segment_clone(&found, id, AOS_TRY));
        REQUIRE_OK(aos_segment_destroy(&own));
    }
}

static void change(const aos_segment_t *segment, int thread) {
    char data[64];
    aos_condition_t free = {.offset = 16, .value = 0, .condition = AOS_EQUAL};
    for (int i = 0; i < rounds; i++) {
        int64_t old;
        REQUIRE_OK(aos_postadd(segment, 0, 1));
        REQUIRE_OK(aos_fetchadd(segment, 8, 1, &old, NULL));
        if (i % 4 == 0) { // a lock
            REQUIRE_OK(aos_cswap_when(segment, 16, 0, 1, &free, &old, NULL));
            REQUIRE(old == 0, "the lock was taken: %ld", (long)old);
            int64_t value;
            REQUIRE_OK(aos_peek(segment, 24, &value, NULL));
            REQUIRE_OK(aos_poke(segment, 24, value + 1));
            REQUIRE_OK(aos_poke(segment, 16, 0));
        }
        memset(data, thread, sizeof data);
    }
    REQUIRE_OK(aos_fence(segment, NULL));
}

static void pass_messages(int thread) {
    for (int64_t i = 0; i < rounds; i++) {
        int64_t message[2] = {me * THREADS + thread, i};
        REQUIRE_OK(aos_enqueue(&shared_queue, message, sizeof message));
        REQUIRE_OK(aos_enqueue(&own_queue, message, sizeof message));
        REQUIRE_OK(aos_dequeue(&own_queue, message, sizeof message, NULL)); // of whichever thread
    }
}

static void work(int thread) {
    make_and_find(thread);
    change(&first, thread);
    change(&first_private, thread);
    pass_messages(thread);
}

// PE 0's main thread takes what all send, while its other threads work too.
static void *receive(void *argument) {
    static int64_t next_of[64 * THREADS];
    (void)argument;
    for (int64_t i = 0; i < (int64_t)rounds * pes * THREADS; i++) {
        int64_t message[2];
        REQUIRE_OK(aos_dequeue(&shared_queue, message, sizeof message, NULL));
        REQUIRE(message[1] == next_of[message[0]], "thread %ld's message %ld came instead of %ld", (long)message[0],
                (long)message[1], (long)next_of[message[0]]);
        next_of[message[0]]++;
    }
    return NULL;
}

int main(void) {
    aos_segment_t own, own_private;
    aos_queue_t clone;
    pthread_t receiver;
    aos_options_t many = {.flags = AOS_MANY_READERS};
    segments_begin(0);
    rounds = test_rounds(400);
    private_words = calloc(1, PRIVATE_BYTES);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, 1), words, sizeof words, NULL));
    REQUIRE_OK(aos_segment_create(&own_private, segment_id(me, 2), private_words, PRIVATE_BYTES, NULL));
    REQUIRE_OK(aos_segment_clone(&first, segment_id(0, 1), 0));
    REQUIRE_OK(aos_segment_clone(&first_private, segment_id(0, 2), 0));
    REQUIRE_OK(aos_queue_create(&own_queue, segment_id(me, 3), 16, 8, NULL, &many));
    if (me == 0) REQUIRE_OK(aos_queue_create(&shared_queue, segment_id(0, 4), 16, 8, NULL, NULL));
    else REQUIRE_OK(aos_queue_clone(&shared_queue, segment_id(0, 4), 0));
    REQUIRE_OK(aos_queue_clone(&clone, segment_id(0, 4), 0));
    if (me == 0) REQUIRE(pthread_create(&receiver, NULL, receive, NULL) == 0, "no thread");
    test_run_threads(work);
    if (me == 0) pthread_join(receiver, NULL);
    REQUIRE_OK(aos_fence_all(NULL));
    barrier();
    int64_t all = (int64_t)rounds * pes * THREADS, locked = (int64_t)((rounds + 3) / 4) * pes * THREADS;
    if (me == 0) {
        REQUIRE(words[0] == all && words[1] == all, "near: %ld and %ld of %ld", (long)words[0], (long)words[1],
                (long)all);
        REQUIRE(private_words[0] == all && private_words[1] == all, "private: %ld and %ld of %ld",
                (long)private_words[0], (long)private_words[1], (long)all);
        REQUIRE(words[3] == locked && private_words[3] == locked, "under a lock: %ld and %ld of %ld", (long)words[3],
                (long)private_words[3], (long)locked);
    }
    barrier();
    REQUIRE_OK(aos_segment_destroy(&own_private));
    free(private_words);
    return segments_end();
}
