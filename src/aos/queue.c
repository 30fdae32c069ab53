// SPDX-License-Identifier: BSD-3-Clause
// Remote queues over the primitive: in memory of the owner's that every PE reaches, found by a number like any segment. A
// message's size travels in its slot's note.
#include "internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "queue.h"

_Static_assert(_Alignof(struct skerry_queue) <= AOS_QUEUE_ALIGNMENT, "what programs are told suffices");

#define CAPACITY_MAX (1u << 24)
#define MESSAGE_MAX ((size_t)1 << 24)

// -- Making and finding ------------------------------------------------------------------------------------------------

static size_t slot_bytes_for(size_t message_bytes) {
    size_t bytes = skerry_queue_slot_bytes(message_bytes);
    // Slots of neighbours on one line cost the sender of one the time of the other.
    return bytes <= SKERRY_LINE / 2 ? bytes : (bytes + SKERRY_LINE - 1) / SKERRY_LINE * SKERRY_LINE;
}

size_t aos_queue_bytes(size_t message_bytes, uint32_t messages) {
    if (message_bytes > MESSAGE_MAX || messages == 0 || messages > CAPACITY_MAX) return 0;
    return skerry_queue_bytes(messages, slot_bytes_for(message_bytes));
}

// Under the own lock; false: the machine has no room for it.
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
    if (area->pool_is_formed) skerry_heap_free(&area->pool, memory); // which refuses what is not its own
    skerry_aos_unlock(&area->own_lock, skerry_my_pe());
}

static void form_queue(aos_queue_t *queue, const struct skerry_aos_entry *values, struct skerry_aos_entry *entry) {
    struct skerry_queue_end end;
    *queue = (aos_queue_t){.queue = (struct skerry_queue *)(uintptr_t)values->base,
                           .flags = values->flags,
                           .message_bytes = values->message_bytes};
    skerry_aos_form(&queue->segment, values, entry);
    skerry_queue_open(&end, queue->queue, values->owner);
    queue->mask = end.mask;
    queue->slot_bytes = end.slot_bytes;
    queue->capacity = end.capacity;
    queue->seen = end.seen;
}

// Whether every PE reaches the program's memory where this one says it is.
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
    __builtin_memset(memory, 0, (size_t)wanted.bytes);
    skerry_queue_create((struct skerry_queue *)memory, messages, slot_bytes_for(message_bytes),
                        (options->flags & AOS_MANY_READERS) != 0);
    struct skerry_aos_entry *entry = skerry_aos_register(&wanted, &error);
    if (!entry) return error;
    form_queue(queue, entry, entry);
    queue->segment.is_original = 1;
    if (!(options->flags & AOS_UNPUBLISHED)) skerry_aos_publish(entry);
    return AOS_SUCCESS;
}

int aos_queue_create(aos_queue_t *queue, uint64_t id, size_t message_bytes, uint32_t messages, void *memory,
                     const aos_options_t *options) {
    static const char routine[] = "aos_queue_create";
    static const aos_options_t usual;
    if (skerry_aos.initializations == 0) return skerry_aos_refuse(routine, AOS_ERROR_STATE, 0, 0, 0);
    int error = skerry_aos_check_options(options, AOS_UNPUBLISHED | AOS_ONE_SENDER | AOS_MANY_READERS);
    size_t bytes = aos_queue_bytes(message_bytes, messages);
    if (!queue || id == UINT64_MAX || !bytes || (memory && !is_fit(&memory, bytes))) error = AOS_ERROR_ARGUMENT;
    if (error) return skerry_aos_refuse(routine, error, 0, 0, 0);
    void *own = memory ? 0 : allocate(bytes);
    if (!memory && !own) return AOS_ERROR_MEMORY;
    error = make_queue(queue, id, message_bytes, messages, memory ? memory : own, options ? options : &usual);
    if (error && own) release(own);
    return error ? skerry_aos_refuse(routine, error, 0, 0, 0) : error;
}

int aos_queue_clone(aos_queue_t *queue, uint64_t id, uint32_t flags) {
    struct skerry_aos_entry copy, *entry;
    int error = skerry_aos_acquire("aos_queue_clone", id, flags, true, &copy, &entry);
    if (!error) form_queue(queue, &copy, entry);
    return error;
}

int aos_queue_publish(aos_queue_t *queue) {
    return aos_segment_publish(&queue->segment);
}

int aos_queue_destroy(aos_queue_t *queue) {
    bool original = queue->segment.is_original;
    int error = skerry_aos_give_up("aos_queue_destroy", &queue->segment);
    if (error || !original) return error;
    // Senders that wait for room look again, and find the segment gone.
    skerry_wake(queue->segment.owner);
    release(queue->queue);
    return AOS_SUCCESS;
}

// -- Enqueue -----------------------------------------------------------------------------------------------------------

// The primitive's end, of which only `seen` changes, and that may be stale: threads share the handle without a lock.
static struct skerry_queue_end end_of(const aos_queue_t *queue) {
    return (struct skerry_queue_end){.queue = queue->queue,
                                     .owner = queue->segment.owner,
                                     .mask = queue->mask,
                                     .slot_bytes = queue->slot_bytes,
                                     .capacity = queue->capacity,
                                     .many_readers = queue->flags & AOS_MANY_READERS,
                                     .seen = SKERRY_LOAD_ACQUIRE(&queue->seen)};
}

static void remember(aos_queue_t *queue, const struct skerry_queue_end *end) {
    __atomic_store_n(&queue->seen, end->seen, __ATOMIC_RELAXED);
}

static int refuse_message(const char *routine, const aos_queue_t *queue, size_t bytes) {
    int error = skerry_aos_usable(queue ? &queue->segment : 0, 0);
    if (!error && queue->segment.kind != SKERRY_AOS_QUEUE) error = AOS_ERROR_PROTOCOL;
    if (!error && bytes > queue->message_bytes) error = AOS_ERROR_SIZE;
    return error ? skerry_aos_refuse(routine, error, queue ? &queue->segment : 0, 0, bytes) : error;
}

static void fill_and_publish(const struct skerry_queue_end *end, uint32_t ticket, const void *message, size_t bytes) {
    struct skerry_queue_slot *slot = skerry_queue_slot_of(end, ticket);
    skerry_copy(slot->message, message, bytes);
    skerry_queue_publish(end, ticket, (uint32_t)bytes);
}

// Only one thread ever takes tickets: no atomic operation is needed.
static uint32_t next_ticket(const struct skerry_queue_end *end) {
    return skerry_atomic_load_32(&end->queue->tail, end->owner);
}

static void take_next_ticket(const struct skerry_queue_end *end, uint32_t ticket) {
    skerry_put_value(uint32_t, &end->queue->tail, ticket + 1, end->owner);
}

static bool is_destroyed(const aos_queue_t *queue) {
    return SKERRY_LOAD_ACQUIRE(&queue->segment.entry->generation) != queue->segment.generation;
}

int aos_enqueue(aos_queue_t *queue, const void *message, size_t bytes) {
    int error = refuse_message("aos_enqueue", queue, bytes);
    if (error) return error;
    struct skerry_queue_end end = end_of(queue);
    uint32_t ticket = queue->flags & AOS_ONE_SENDER ? next_ticket(&end) : skerry_queue_take_ticket(&end);
    if (__builtin_expect(!skerry_queue_has_room(&end, ticket), 0)) {
        SKERRY_AOS_WAIT_UNTIL(skerry_queue_has_room(&end, ticket) || is_destroyed(queue), end.owner,
                              queue->segment.waiting);
        if (is_destroyed(queue)) return skerry_aos_refuse("aos_enqueue", AOS_ERROR_GONE, &queue->segment, 0, bytes);
    }
    if (queue->flags & AOS_ONE_SENDER) take_next_ticket(&end, ticket);
    remember(queue, &end);
    fill_and_publish(&end, ticket, message, bytes);
    return AOS_SUCCESS;
}

int aos_try_enqueue(aos_queue_t *queue, const void *message, size_t bytes) {
    int error = refuse_message("aos_try_enqueue", queue, bytes);
    if (error) return error;
    struct skerry_queue_end end = end_of(queue);
    uint32_t ticket = 0;
    bool taken;
    if (queue->flags & AOS_ONE_SENDER) {
        ticket = next_ticket(&end);
        taken = skerry_queue_has_room(&end, ticket);
        if (taken) take_next_ticket(&end, ticket);
    } else {
        taken = skerry_queue_try_ticket(&end, &ticket);
    }
    remember(queue, &end);
    if (taken) fill_and_publish(&end, ticket, message, bytes);
    else skerry_look_again();
    return taken ? AOS_SUCCESS : AOS_ERROR_FULL;
}

// -- Dequeue -----------------------------------------------------------------------------------------------------------

static int refuse_reader(const char *routine, const aos_queue_t *queue) {
    int error = refuse_message(routine, queue, 0);
    if (!error && queue->segment.creator != skerry_my_pe())
        error = skerry_aos_refuse(routine, AOS_ERROR_BINDING, &queue->segment, 0, 0);
    return error;
}

static void describe(aos_message_t *message, const struct skerry_queue_slot *slot, uint32_t ticket) {
    message->data = slot->message;
    message->bytes = slot->note;
    message->ticket = ticket;
}

static bool look_for_message(aos_queue_t *queue, aos_message_t *message) {
    struct skerry_queue *own = queue->queue;
    uint32_t ticket;
    if (!(queue->flags & AOS_MANY_READERS)) {
        const struct skerry_queue_slot *slot = skerry_queue_first(own);
        if (slot) describe(message, slot, own->head);
        return slot != 0;
    }
    if (!skerry_queue_try_request(own, &ticket)) return false;
    describe(message, skerry_queue_own_slot(own, ticket), ticket);
    return true;
}

static int begin(const char *routine, aos_queue_t *queue, aos_message_t *message, bool wait) {
    int error = refuse_reader(routine, queue);
    if (error || look_for_message(queue, message)) return error;
    if (wait) {
        SKERRY_AOS_WAIT_UNTIL(look_for_message(queue, message), skerry_my_pe(), queue->segment.waiting);
        return AOS_SUCCESS;
    }
    skerry_aos_serve();
    if (look_for_message(queue, message)) return AOS_SUCCESS;
    skerry_look_again();
    return AOS_ERROR_EMPTY;
}

static void end(aos_queue_t *queue, uint32_t ticket) {
    if (queue->flags & AOS_MANY_READERS) skerry_queue_release_ticket(queue->queue, ticket);
    else skerry_queue_release(queue->queue);
}

int aos_dequeue_begin(aos_queue_t *queue, aos_message_t *message) {
    return begin("aos_dequeue_begin", queue, message, true);
}

int aos_try_dequeue_begin(aos_queue_t *queue, aos_message_t *message) {
    return begin("aos_try_dequeue_begin", queue, message, false);
}

int aos_dequeue_end(aos_queue_t *queue, const aos_message_t *message) {
    int error = refuse_reader("aos_dequeue_end", queue);
    bool wrong = !error && !(queue->flags & AOS_MANY_READERS) && message->ticket != queue->queue->head;
    if (wrong) error = skerry_aos_refuse("aos_dequeue_end", AOS_ERROR_ARGUMENT, &queue->segment, message->ticket, 0);
    if (!error) end(queue, message->ticket);
    return error;
}

static int take(const char *routine, aos_queue_t *queue, void *buffer, size_t capacity, size_t *bytes, bool wait) {
    // With several readers a message that was taken cannot be given back: the buffer is measured first.
    if (queue && queue->flags & AOS_MANY_READERS && capacity < queue->message_bytes)
        return skerry_aos_refuse(routine, AOS_ERROR_SIZE, &queue->segment, 0, capacity);
    aos_message_t message;
    int error = begin(routine, queue, &message, wait);
    if (error) return error;
    if (bytes) *bytes = message.bytes;
    if (message.bytes > capacity) return skerry_aos_refuse(routine, AOS_ERROR_SIZE, &queue->segment, 0, message.bytes);
    skerry_copy(buffer, message.data, message.bytes);
    end(queue, message.ticket);
    return AOS_SUCCESS;
}

int aos_dequeue(aos_queue_t *queue, void *buffer, size_t capacity, size_t *bytes) {
    return take("aos_dequeue", queue, buffer, capacity, bytes, true);
}

int aos_try_dequeue(aos_queue_t *queue, void *buffer, size_t capacity, size_t *bytes) {
    return take("aos_try_dequeue", queue, buffer, capacity, bytes, false);
}

int aos_queue_event(aos_queue_t *queue, aos_event_t *event) {
    int error = refuse_reader("aos_queue_event", queue);
    if (error) return error;
    if (!event || queue->flags & AOS_MANY_READERS)
        return skerry_aos_refuse("aos_queue_event", AOS_ERROR_ARGUMENT, &queue->segment, 0, 0);
    uint32_t head = queue->queue->head;
    *event = (aos_event_t){.word = &skerry_queue_own_slot(queue->queue, head)->turn,
                           .value = (int64_t)(uint32_t)(head + 1),
                           .condition = AOS_EQUAL,
                           .owner = skerry_my_pe(),
                           .bits = 32};
    return AOS_SUCCESS;
}
