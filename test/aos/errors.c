// SPDX-License-Identifier: BSD-3-Clause
// Wrong accesses return what is wrong and change nothing, on memory of every kind.
#include "segments.h"

#define BYTES 128

static void outside(const aos_segment_t *segment) {
    unsigned char data[BYTES + 8] = {0};
    int64_t value = 77;
    static const struct {
        uint64_t offset;
        size_t bytes;
    } wrong[] = {{0, BYTES + 1}, {BYTES, 1}, {BYTES - 1, 2}, {UINT64_MAX, 2}, {UINT64_MAX - 1, 1}, {1, SIZE_MAX}};
    for (size_t i = 0; i < TEST_COUNT(wrong); i++) {
        REQUIRE_ERROR(aos_put(data, segment, wrong[i].offset, wrong[i].bytes, NULL), AOS_ERROR_BOUNDS);
        REQUIRE_ERROR(aos_get(data, segment, wrong[i].offset, wrong[i].bytes, NULL), AOS_ERROR_BOUNDS);
    }
    static const uint64_t words[] = {BYTES, BYTES - 7, UINT64_MAX - 7, UINT64_MAX};
    for (size_t i = 0; i < TEST_COUNT(words); i++) {
        REQUIRE_ERROR(aos_postadd(segment, words[i], 1), AOS_ERROR_BOUNDS);
        REQUIRE_ERROR(aos_swap(segment, words[i], 1, &value, NULL), AOS_ERROR_BOUNDS);
        REQUIRE_ERROR(aos_postadd_when(segment, 0, 1, &(aos_condition_t){words[i], 0, AOS_EQUAL}, NULL),
                      AOS_ERROR_BOUNDS);
    }
    REQUIRE_ERROR(aos_fetchadd(segment, 4, 1, &value, NULL), AOS_ERROR_ALIGNMENT);
    REQUIRE_ERROR(aos_poke(segment, 1, 1), AOS_ERROR_ALIGNMENT);
    REQUIRE_ERROR(aos_poke_when(segment, 8, 1, &(aos_condition_t){0, 0, 7}, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_poke_when(segment, 8, 1, NULL, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE(value == 77, "an operation that was refused brought a value");
    REQUIRE(!aos_pointer(segment, BYTES - 1, 2), "a pointer out of the segment");
}

// Each protocol that a segment is without.
static void without(unsigned char *memory, uint64_t id) {
    aos_segment_t only, clone;
    unsigned char byte = 1;
    int64_t value = 77;
    REQUIRE_OK(aos_segment_create(&only, id, memory, BYTES, &(aos_options_t){.protocols = AOS_PUT_GET}));
    REQUIRE_OK(aos_segment_clone(&clone, id, 0));
    REQUIRE_ERROR(aos_postadd(&clone, 0, 1), AOS_ERROR_PROTOCOL);
    REQUIRE_ERROR(aos_fetchadd(&clone, 0, 1, &value, NULL), AOS_ERROR_PROTOCOL);
    REQUIRE_OK(aos_put(&byte, &clone, 0, 0, NULL));
    REQUIRE_OK(aos_segment_destroy(&only));
    REQUIRE_OK(aos_segment_create(&only, id, memory, BYTES, &(aos_options_t){.protocols = AOS_ATOMIC}));
    REQUIRE_OK(aos_segment_clone(&clone, id, 0));
    REQUIRE_ERROR(aos_put(&byte, &clone, 0, 1, NULL), AOS_ERROR_PROTOCOL);
    REQUIRE_ERROR(aos_get(&byte, &clone, 0, 1, NULL), AOS_ERROR_PROTOCOL);
    REQUIRE_ERROR(aos_postadd_when(&clone, 0, 1, &(aos_condition_t){0, 0, AOS_EQUAL}, NULL), AOS_ERROR_PROTOCOL);
    REQUIRE_OK(aos_postadd(&clone, 0, 0));
    REQUIRE_OK(aos_segment_destroy(&only));
    REQUIRE(byte == 1 && value == 77, "what was refused has changed something");
}

static void gone(unsigned char *memory, uint64_t id) {
    aos_segment_t own, clone;
    unsigned char byte = 1;
    REQUIRE_OK(aos_segment_create(&own, id, memory, BYTES, NULL));
    REQUIRE_OK(aos_segment_clone(&clone, id, 0));
    REQUIRE_OK(aos_segment_destroy(&own));
    REQUIRE(aos_segment_destroy(&own) == AOS_ERROR_GONE, "destroyed twice");
    REQUIRE_ERROR(aos_put(&byte, &own, 0, 1, NULL), AOS_ERROR_GONE);
    REQUIRE_ERROR(aos_fence(&clone, NULL), AOS_ERROR_GONE);
    REQUIRE_ERROR(aos_put(&byte, &clone, BYTES, 1, NULL), AOS_ERROR_GONE);
    REQUIRE_OK(aos_segment_destroy(&clone));
}

static void work(enum memory_kind kind, unsigned char *memory) {
    aos_segment_t own, right;
    memset(memory, TEST_GUARD, BYTES);
    REQUIRE_OK(aos_segment_create(&own, segment_id(me, (int)kind), memory, BYTES, NULL));
    REQUIRE_OK(aos_segment_clone(&right, segment_id(right_of(me), (int)kind), 0));
    outside(&right);
    outside(&own);
    barrier();
    REQUIRE(test_all_guard(memory, BYTES), "%s: what was refused has changed memory", memory_names[kind]);
    barrier();
    REQUIRE_OK(aos_segment_destroy(&own));
    without(memory, segment_id(me, (int)kind + 100));
    gone(memory, segment_id(me, (int)kind + 200));
    barrier();
}

static void before_and_after(void) {
    aos_segment_t segment = {0};
    aos_queue_t queue = {0};
    unsigned char byte = 0;
    REQUIRE_ERROR(aos_segment_create(&segment, 1, &byte, 1, NULL), AOS_ERROR_STATE);
    REQUIRE_ERROR(aos_segment_clone(&segment, 1, AOS_TRY), AOS_ERROR_STATE);
    REQUIRE_ERROR(aos_put(&byte, &segment, 0, 1, NULL), AOS_ERROR_STATE);
    REQUIRE_ERROR(aos_postadd(&segment, 0, 1), AOS_ERROR_STATE);
    REQUIRE_ERROR(aos_queue_create(&queue, 1, 8, 4, NULL, NULL), AOS_ERROR_STATE);
    REQUIRE_ERROR(aos_enqueue(&queue, &byte, 1), AOS_ERROR_STATE);
    REQUIRE_ERROR(aos_fence_all(NULL), AOS_ERROR_STATE);
    REQUIRE_ERROR(aos_finalize(), AOS_ERROR_STATE);
    REQUIRE_ERROR(aos_event_wait(&(aos_event_t){0}), AOS_ERROR_STATE);
}

static void arguments(void) {
    aos_segment_t segment;
    aos_queue_t queue;
    _Alignas(8) char bytes[16];
    REQUIRE_ERROR(aos_init(8), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_segment_create(&segment, UINT64_MAX, bytes, 8, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_segment_create(&segment, 5, NULL, 8, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_segment_create(&segment, 5, bytes, UINT64_MAX, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_segment_create(&segment, 5, bytes, 8, &(aos_options_t){.protocols = 64}), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_segment_create(&segment, 5, bytes, 8, &(aos_options_t){.first_pe = pes, .pe_count = 1}),
                  AOS_ERROR_ARGUMENT);
    if (!MEMORY_ALL_NEAR)
        REQUIRE_ERROR(aos_segment_create(&segment, 5, bytes, 8, &(aos_options_t){.protocols = AOS_LOAD_STORE}),
                      AOS_ERROR_PROTOCOL);
    REQUIRE_ERROR(aos_segment_of_pe(&segment, pes, 0), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_queue_create(&queue, 5, 8, 0, NULL, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_queue_create(&queue, 5, 8, 4, bytes, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_queue_create(&queue, 5, 1 << 20, 1 << 20, NULL, NULL), AOS_ERROR_MEMORY);
    REQUIRE_ERROR(aos_event_set(&(aos_event_t){0}, NULL, AOS_EQUAL, 1), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_event_set(&(aos_event_t){0}, (const int64_t *)(void *)(bytes + 4), AOS_EQUAL, 1),
                  AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_event_wait_any(NULL, 0, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_event_wait_any(NULL, 2, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_event_test_all(NULL, 2), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_segment_clone(NULL, 5, 0), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_queue_clone(NULL, 5, 0), AOS_ERROR_ARGUMENT);
    REQUIRE_ERROR(aos_queue_destroy(NULL), AOS_ERROR_ARGUMENT);
    for (int error = 0; error >= AOS_ERROR_FAULT; error--)
        REQUIRE(aos_error_text(error)[0] && strcmp(aos_error_text(error), aos_error_text(1)) != 0,
                "error %d has no text", error);
}

// Ending a message that was not begun, or was ended before, is refused and takes no place from the queue.
static void not_begun(uint64_t id, uint32_t flags) {
    aos_queue_t queue;
    aos_message_t message = {0};
    int64_t value = 5;
    size_t bytes;
    REQUIRE_OK(aos_queue_create(&queue, id, sizeof value, 4, NULL, &(aos_options_t){.flags = flags}));
    for (int round = 0; round < 6; round++) {
        REQUIRE_ERROR(aos_dequeue_end(&queue, &message), AOS_ERROR_ARGUMENT);
        REQUIRE_OK(aos_enqueue(&queue, &value, sizeof value));
        REQUIRE_OK(aos_try_dequeue_begin(&queue, &message));
        REQUIRE_OK(aos_dequeue_end(&queue, &message));
        REQUIRE_ERROR(aos_dequeue_end(&queue, &message), AOS_ERROR_ARGUMENT);
        message.ticket++; // of the next one, which has not come
        REQUIRE_ERROR(aos_dequeue_end(&queue, &message), AOS_ERROR_ARGUMENT);
    }
    REQUIRE_ERROR(aos_dequeue_end(&queue, NULL), AOS_ERROR_ARGUMENT);
    REQUIRE_OK(aos_enqueue(&queue, &value, sizeof value));
    REQUIRE_OK(aos_try_dequeue(&queue, &value, sizeof value, &bytes));
    REQUIRE_OK(aos_queue_destroy(&queue));
}

int main(void) {
    before_and_after();
    segments_begin(0);
    arguments();
    not_begun(segment_id(me, 500), 0);
    not_begun(segment_id(me, 500), AOS_MANY_READERS);
    with_every_memory(BYTES, work);
    segments_end();
    before_and_after();
    return 0;
}
