// SPDX-License-Identifier: BSD-3-Clause
// Creates, finds and destroys queues. The program gives the memory of a queue, or the library allocates the memory from
// the pool. The pool is a heap behind this PE's tables in the table memory.
#include "credits.h"
#include "internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "queue.h"

_Static_assert(_Alignof(struct skerry_queue) <= AOS_QUEUE_ALIGNMENT, "AOS_QUEUE_ALIGNMENT is large enough");

#define CAPACITY_MAX (1u << 24)
#define MESSAGE_MAX ((size_t)1 << 24)

static size_t slot_bytes_for(size_t message_bytes) {
    size_t bytes = skerry_queue_slot_bytes(message_bytes);
    // A slot of more than half a cache line gets a whole number of cache lines. With smaller slots, the senders of
    // neighbouring messages would write the same line and wait for each other (false sharing).
    return bytes <= SKERRY_LINE / 2 ? bytes : (bytes + SKERRY_LINE - 1) / SKERRY_LINE * SKERRY_LINE;
}

size_t aos_queue_bytes(size_t message_bytes, uint32_t messages) {
    if (message_bytes > MESSAGE_MAX || messages == 0 || messages > CAPACITY_MAX) return 0;
    return skerry_queue_bytes(messages, slot_bytes_for(message_bytes));
}

// Sets up the pool (the heap for queues) at the first call. Returns false if the machine's table memory has no space
// for a pool. The caller must hold own_lock.
static bool has_pool(struct skerry_aos_area *area) {
    size_t bytes, before = offsetof(struct skerry_aos_area, memory);
    skerry_table_memory(&bytes);
    if (bytes <= before) return false;
    if (!area->pool_is_formed) skerry_heap_init(&area->pool, area->memory, bytes - before, before);
    area->pool_is_formed = 1;
    return true;
}

static void *allocate(size_t bytes) {
    struct skerry_aos_area *area = skerry_aos.area;
    skerry_aos_lock(&area->own_lock, skerry_my_pe());
    void *memory = has_pool(area) ? skerry_heap_allocate(&area->pool, bytes, _Alignof(struct skerry_queue)) : 0;
    skerry_aos_unlock(&area->own_lock, skerry_my_pe());
    return memory;
}

static void release(void *memory) {
    struct skerry_aos_area *area = skerry_aos.area;
    skerry_aos_lock(&area->own_lock, skerry_my_pe());
    if (area->pool_is_formed) skerry_heap_free(&area->pool, memory); // does nothing if the program gave the memory
    skerry_aos_unlock(&area->own_lock, skerry_my_pe());
}

static void form_queue(aos_queue_t *queue, const struct skerry_aos_entry *values, struct skerry_aos_entry *entry) {
    struct skerry_queue_end end;
    *queue = (aos_queue_t){.queue = (struct skerry_queue *)(uintptr_t)values->base,
                           .flags = values->flags,
                           .message_bytes = values->message_bytes};
    skerry_aos_form(&queue->segment, values, entry);
#if SKERRY_FAR_WATCHES
    if (values->identity) queue->flags |= SKERRY_AOS_PROMISES;
    queue->next = values->identity;
    if (values->identity && SKERRY_AOS_IS_FAR(values->owner)) skerry_aos_find_credit(queue);
#endif
    if (SKERRY_AOS_IS_FAR(values->owner)) { // the other fields are not used
        queue->flags |= SKERRY_AOS_FAR_QUEUE;
        return;
    }
    skerry_queue_open(&end, queue->queue, values->owner);
    queue->mask = end.mask;
    queue->slot_bytes = end.slot_bytes;
    queue->capacity = end.capacity;
    queue->seen = end.seen;
    queue->run_limit = SKERRY_AOS_RUN_LIMIT_LEAST;
}

// Returns true if `*memory`, which the program gave for a queue, is symmetric memory of this PE and aligned for a
// queue. Replaces `*memory` by the memory's global address, by which every PE accesses the queue.
static bool is_fit(void **memory, size_t bytes) {
    uint64_t global;
    int owner;
    if (!skerry_aos_is_global(*memory, bytes, &global, &owner) || owner != skerry_my_pe()) return false;
    *memory = (void *)(uintptr_t)global;
    return skerry_is_symmetric(*memory, bytes) && global % _Alignof(struct skerry_queue) == 0;
}

static int make_queue(aos_queue_t *queue, uint64_t id, size_t message_bytes, uint32_t messages, void *memory,
                      const aos_options_t *options) {
    struct skerry_aos_entry wanted = {.id = id,
                                      .base = (uint64_t)(uintptr_t)memory,
                                      .bytes = aos_queue_bytes(message_bytes, messages),
                                      .state = SKERRY_AOS_RESERVED,
                                      .creator = skerry_my_pe(),
                                      .owner = skerry_my_pe(),
                                      .first_pe = options->first_pe,
                                      .pe_count = options->pe_count,
                                      .flags = options->flags,
                                      .message_bytes = (uint32_t)message_bytes,
                                      .waiting = (uint8_t)options->waiting,
                                      .kind = SKERRY_AOS_QUEUE,
                                      .near = true};
    int error;
#if SKERRY_FAR_WATCHES
    if (!(options->flags & AOS_MANY_READERS))
        wanted.identity = skerry_aos_begin_promises((struct skerry_queue *)memory);
#endif
    struct skerry_aos_entry *entry = skerry_aos_register(&wanted, &error);
#if SKERRY_FAR_WATCHES
    if (!entry && wanted.identity) skerry_aos_end_promises(wanted.identity);
#endif
    if (!entry) return error;
    __builtin_memset(memory, 0, (size_t)wanted.bytes);
    skerry_queue_create((struct skerry_queue *)memory, messages, slot_bytes_for(message_bytes),
                        (options->flags & AOS_MANY_READERS) != 0);
    form_queue(queue, entry, entry);
    queue->segment.is_original = 1;
    if (!(options->flags & AOS_UNPUBLISHED)) skerry_aos_publish(entry);
    return AOS_SUCCESS;
}

static int check_new(const char *routine, const aos_queue_t *queue, uint64_t id, size_t message_bytes,
                     uint32_t messages) {
    if (!queue) return skerry_aos_refuse_argument(routine, "queue: must not be NULL", 0, 0);
    if (id == UINT64_MAX) return skerry_aos_refuse_argument(routine, "id: must not be UINT64_MAX", 0, 0);
    if (aos_queue_bytes(message_bytes, messages)) return AOS_SUCCESS;
    return skerry_aos_refuse_argument(routine, "message_bytes # must be at most #, and messages # must be 1 to #",
                                      (long[]){(long)message_bytes, MESSAGE_MAX, (long)messages, CAPACITY_MAX}, 4);
}

int aos_queue_create(aos_queue_t *queue, uint64_t id, size_t message_bytes, uint32_t messages, void *memory,
                     const aos_options_t *options) {
    static const char routine[] = "aos_queue_create";
    static const aos_options_t defaults;
    if (skerry_aos.initializations == 0) return skerry_aos_refuse(routine, AOS_ERROR_STATE, 0, 0, 0);
    int error = skerry_aos_check_options(routine, options, AOS_UNPUBLISHED | AOS_ONE_SENDER | AOS_MANY_READERS);
    if (!error) error = check_new(routine, queue, id, message_bytes, messages);
    if (error) return error;
    size_t bytes = aos_queue_bytes(message_bytes, messages);
    long at = (long)(uintptr_t)memory;
    if (memory && !is_fit(&memory, bytes))
        return skerry_aos_refuse_argument(routine,
                                          "memory @: must be # bytes of this PE's symmetric memory, aligned to # bytes",
                                          (long[]){at, (long)bytes, AOS_QUEUE_ALIGNMENT}, 3);
    void *own = memory ? 0 : allocate(bytes);
    if (!memory && !own) return AOS_ERROR_MEMORY;
    error = make_queue(queue, id, message_bytes, messages, memory ? memory : own, options ? options : &defaults);
    if (error && own) release(own);
    return error ? skerry_aos_refuse(routine, error, 0, 0, 0) : error;
}

int aos_queue_clone(aos_queue_t *queue, uint64_t id, uint32_t flags) {
    static const char routine[] = "aos_queue_clone";
    struct skerry_aos_entry copy, *entry;
    if (!queue) return skerry_aos_refuse_argument(routine, "queue: must not be NULL", 0, 0);
    int error = skerry_aos_acquire(routine, id, flags, true, &copy, &entry);
    if (!error) form_queue(queue, &copy, entry);
    return error;
}

int aos_queue_publish(aos_queue_t *queue) {
    return skerry_aos_let_find("aos_queue_publish", queue ? &queue->segment : 0);
}

static bool is_anybody_inside(const struct skerry_queue *queue) {
    for (int pe = 0; pe < skerry_pe_count(); pe++) {
        if (SKERRY_AOS_IS_FAR(pe)) continue; // `others_inside` of this PE counts senders on other nodes
        const struct skerry_aos_area *area = skerry_aos_area(pe);
        if (SKERRY_LOAD_ACQUIRE(&area->others_inside) != 0) return true;
        for (int thread = 0; thread < SKERRY_THREAD_NUMBERS; thread++)
            for (int level = 0; level < SKERRY_NESTING; level++)
                if (SKERRY_LOAD_ACQUIRE(&area->inside[thread].queues[level]) == (uintptr_t)queue) return true;
    }
    return false;
}

// Waits until the earlier stores of all PEs are visible to this PE's loads. There are three ways:
// * If SKERRY_OWN_STORES_FIRST is 1, nothing is needed. On such a machine a PE's store to its own memory is visible
//   before the PE's next load from another PE's memory.
// * If possible, makes all PEs execute a fence (skerry_fence_everywhere).
// * If not possible, waits for 10 ms. A store becomes visible much sooner than that.
static void let_stores_arrive(void) {
    if (SKERRY_OWN_STORES_FIRST || skerry_fence_everywhere()) return;
    uint64_t end = skerry_ticks() + skerry_ticks_per_second() / 100;
    while (skerry_ticks() < end) skerry_relax();
}

int aos_queue_destroy(aos_queue_t *queue) {
    bool original = queue && queue->segment.is_original;
    int error = skerry_aos_give_up("aos_queue_destroy", queue ? &queue->segment : 0);
    if (error || !original) return error;
    // Wakes the senders that wait for a free slot. They load the queue's generation (a number that has changed) again,
    // and so find that the queue was destroyed (queue.c).
    skerry_wake(queue->segment.owner);
    let_stores_arrive();
    SKERRY_AOS_WAIT_UNTIL(!is_anybody_inside(queue->queue), skerry_my_pe(), queue->segment.waiting);
    release(queue->queue);
    return AOS_SUCCESS;
}
