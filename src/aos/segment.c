// SPDX-License-Identifier: BSD-3-Clause
// Creates, finds and destroys segments, and makes the handles by which a PE reaches their memory.
#include "internal.h"

#include "../primitive/shared_heap.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "segment.h"

// -- Handles -----------------------------------------------------------------------------------------------------------

// Returns true if the inlined bodies of the routines can access the segment. These bodies use the machine's operations
// that take the number of the PE that owns the memory. On some machines these operations cannot access memory that no
// PE owns (skerry_is_outside).
static bool is_by_pe(const struct skerry_aos_entry *entry) {
    return entry->near && !SKERRY_AOS_IS_FAR(entry->owner) && !skerry_is_outside((const void *)(uintptr_t)entry->base);
}

static uint64_t near_words_end(const struct skerry_aos_entry *entry) {
    bool usable = is_by_pe(entry) && entry->protocols & AOS_ATOMIC && (entry->base & 7) == 0 && entry->bytes >= 8;
    return usable ? entry->bytes - 7 : 0;
}

void skerry_aos_form(aos_segment_t *segment, const struct skerry_aos_entry *values, struct skerry_aos_entry *entry) {
    bool is_far = SKERRY_AOS_IS_FAR(values->owner), is_near = values->near && !is_far;
    bool can_defer = skerry_aos_can_defer() && is_near && values->protocols & AOS_CONDITIONAL;
    *segment = (aos_segment_t){
        .id = values->id,
        .base = (unsigned char *)(uintptr_t)values->base,
        .bytes = values->bytes,
        .near_bytes = is_by_pe(values) && values->protocols & AOS_PUT_GET ? values->bytes : 0,
        .near_words_end = near_words_end(values),
        .deferred = can_defer ? &skerry_aos_area(values->owner)->deferred_count : 0,
        .entry = entry,
        .generation = values->generation,
        .owner = values->owner,
        .creator = values->creator,
        .protocols = values->protocols,
        .waiting = values->waiting,
        .kind = values->kind,
        .is_near = is_near,
        .is_far = values->near && is_far,
    };
}

static int check_pes(const char *routine, const aos_options_t *options) {
    int pes = skerry_pe_count();
    if (options->pe_count >= 0 && options->first_pe >= 0 && options->first_pe <= pes &&
        options->pe_count <= pes - options->first_pe)
        return AOS_SUCCESS;
    return skerry_aos_refuse_argument(
        routine, "options: pe_count # and first_pe # must name only PEs of the job, which has # PEs",
        (long[]){options->pe_count, options->first_pe, pes}, 3);
}

static int check_bits(const char *routine, const char *rule, uint32_t bits, uint32_t possible) {
    if (!(bits & ~possible)) return AOS_SUCCESS;
    return skerry_aos_refuse_argument(routine, rule, (long[]){(long)bits, (long)possible}, 2);
}

int skerry_aos_check_options(const char *routine, const aos_options_t *options, uint32_t flags) {
    if (!options) return AOS_SUCCESS;
    if (options->waiting > AOS_WAIT_SLEEP)
        return skerry_aos_refuse_argument(
            routine, "options: waiting #: must be AOS_WAIT_DEFAULT, AOS_WAIT_SPIN or AOS_WAIT_SLEEP (0 to #)",
            (long[]){(long)options->waiting, AOS_WAIT_SLEEP}, 2);
    if (options->protocols & AOS_CONDITIONAL && !(options->protocols & AOS_ATOMIC))
        return skerry_aos_refuse_argument(routine,
                                          "options: protocols @ with AOS_CONDITIONAL must also have AOS_ATOMIC",
                                          (long[]){(long)options->protocols}, 1);
    int error = check_bits(routine, "options: flags @ has unknown bits; the known ones are @", options->flags, flags);
    if (!error)
        error = check_bits(routine, "options: protocols @ has unknown bits; the known ones are @", options->protocols,
                           AOS_ALL_PROTOCOLS);
    return error ? error : check_pes(routine, options);
}

static int check_id(const char *routine, uint64_t id) {
    return id == UINT64_MAX ? skerry_aos_refuse_argument(routine, "id: must not be UINT64_MAX", 0, 0) : AOS_SUCCESS;
}

static int check_try(const char *routine, uint32_t flags) {
    return check_bits(routine, "flags @ has unknown bits; the only one is AOS_TRY, @", flags, AOS_TRY);
}

static int check_new(const char *routine, const aos_segment_t *segment, uint64_t id, const void *base, uint64_t bytes) {
    uint64_t at = (uint64_t)(uintptr_t)base;
    if (!segment) return skerry_aos_refuse_argument(routine, "segment: must not be NULL", 0, 0);
    if (!base && bytes)
        return skerry_aos_refuse_argument(routine, "base: must not be NULL, because bytes is #", (long[]){(long)bytes},
                                          1);
    if (at + bytes < at)
        return skerry_aos_refuse_argument(routine, "base @ plus bytes @ must not exceed the largest address",
                                          (long[]){(long)at, (long)bytes}, 2);
    return check_id(routine, id);
}

static int fill(struct skerry_aos_entry *entry, uint64_t id, void *base, uint64_t bytes, const aos_options_t *options) {
    static const aos_options_t defaults;
    if (!options) options = &defaults;
    uint64_t address;
    int owner;
    bool near = bytes == 0 || skerry_aos_is_global(base, bytes, &address, &owner);
    if (bytes == 0) {
        address = (uint64_t)(uintptr_t)base;
        owner = skerry_my_pe();
    }
    // With a server a PE's memory has a global address, so this is no memory, or not all of it is.
#if SKERRY_FAR_WATCHES
    if (!near) return AOS_ERROR_ARGUMENT;
#endif
    if (SKERRY_AOS_IS_FAR(owner))
        return skerry_aos_refuse_argument("aos_segment_create",
                                          "base @: must not be memory of PE #, because that PE is on another node",
                                          (long[]){(long)(uintptr_t)base, owner}, 2);
    uint32_t possible = near ? AOS_ALL_PROTOCOLS : AOS_ALL_PROTOCOLS & ~AOS_LOAD_STORE;
    if (options->protocols & ~possible) return AOS_ERROR_PROTOCOL;
    *entry = (struct skerry_aos_entry){
        .id = id,
        .base = address,
        .bytes = bytes,
        .state = SKERRY_AOS_RESERVED,
        .creator = skerry_my_pe(),
        .owner = owner,
        .first_pe = options->first_pe,
        .pe_count = options->pe_count,
        .protocols = (uint16_t)(options->protocols ? options->protocols : possible),
        .waiting = (uint8_t)options->waiting,
        .kind = SKERRY_AOS_WINDOW,
        .near = near,
    };
    return AOS_SUCCESS;
}

int aos_segment_create(aos_segment_t *segment, uint64_t id, void *base, uint64_t bytes, const aos_options_t *options) {
    static const char routine[] = "aos_segment_create";
    if (skerry_aos.initializations == 0) return skerry_aos_refuse(routine, AOS_ERROR_STATE, 0, 0, 0);
    int error = skerry_aos_check_options(routine, options, AOS_UNPUBLISHED);
    if (!error) error = check_new(routine, segment, id, base, bytes);
    if (error) return error;
    struct skerry_aos_entry wanted;
    error = fill(&wanted, id, base, bytes, options);
    if (skerry_checking && error == AOS_ERROR_PROTOCOL)
        skerry_fail_values(routine,
                           "options: protocols @, but base @ is private memory of this PE, which other PEs cannot load "
                           "or store: leave out AOS_LOAD_STORE, @",
                           (long[]){(long)options->protocols, (long)(uintptr_t)base, AOS_LOAD_STORE}, 3);
    if (error) return error == AOS_ERROR_ARGUMENT ? error : skerry_aos_refuse(routine, error, 0, 0, 0);
#if SKERRY_PRIVATE_MEMORY
    if (!wanted.near) skerry_cross_memory_allow();
    if (!wanted.near) skerry_aos_poll_requests();
#endif
    struct skerry_aos_entry *entry = skerry_aos_register(&wanted, &error);
    if (!entry) return error;
    skerry_aos_form(segment, entry, entry);
    segment->is_original = 1;
    if (!options || !(options->flags & AOS_UNPUBLISHED)) skerry_aos_publish(entry);
    return AOS_SUCCESS;
}

int skerry_aos_let_find(const char *routine, aos_segment_t *segment) {
    int error = skerry_aos_usable(segment, 0);
    if (!error && !segment->is_original) error = AOS_ERROR_BINDING;
    if (error) return skerry_aos_refuse(routine, error, segment, 0, 0);
    if (segment->entry->state != SKERRY_AOS_PUBLISHED) skerry_aos_publish(segment->entry);
    return AOS_SUCCESS;
}

int aos_segment_publish(aos_segment_t *segment) {
    return skerry_aos_let_find("aos_segment_publish", segment);
}

static bool is_for(const struct skerry_aos_entry *entry, int pe) {
    if (entry->pe_count == 0 || entry->creator == pe) return true;
    return pe >= entry->first_pe && pe - entry->first_pe < entry->pe_count;
}

#if SKERRY_FAR_MESSAGES

// Finds the entry of the segment with number `id`, if a PE of another node looks the number up. If the segment is not
// published yet, waits for it; with AOS_TRY in `flags`, does not wait. Returns false if the entry was not found.
static bool find_far(uint64_t id, uint32_t flags, struct skerry_aos_entry *copy, struct skerry_aos_entry **entry) {
    struct skerry_aos_far_wait wait = skerry_aos_begin_far_wait(AOS_WAIT_DEFAULT);
    bool found;
    while (!(found = skerry_aos_find(id, copy, entry)) && !(flags & AOS_TRY)) skerry_aos_far_pause(&wait);
    skerry_aos_end_wait(&wait.waiter);
    return found;
}

#endif

// Finds the entry of the segment with number `id`. If the segment is not published yet, waits for it; with AOS_TRY in
// `flags`, does not wait. Returns false if the entry was not found.
static bool find(uint64_t id, uint32_t flags, struct skerry_aos_entry *copy, struct skerry_aos_entry **entry) {
    int home = skerry_aos_home(id);
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(home)) return find_far(id, flags, copy, entry);
#endif
    const uint32_t *published = &skerry_aos_area(home)->published;
    for (;;) {
        uint32_t seen = SKERRY_LOAD_ACQUIRE(published);
        if (skerry_aos_find(id, copy, entry)) return true;
        if (flags & AOS_TRY) return false;
        SKERRY_AOS_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(published) != seen, home, AOS_WAIT_DEFAULT);
    }
}

int skerry_aos_acquire(const char *routine, uint64_t id, uint32_t flags, bool queue, struct skerry_aos_entry *copy,
                       struct skerry_aos_entry **entry) {
    if (skerry_aos.initializations == 0) return skerry_aos_refuse(routine, AOS_ERROR_STATE, 0, 0, 0);
    int error = check_id(routine, id);
    if (!error) error = check_try(routine, flags);
    if (error) return error;
    if (!find(id, flags, copy, entry)) return AOS_ERROR_NOT_FOUND;
    if (!is_for(copy, skerry_my_pe())) error = AOS_ERROR_BINDING;
    else if ((copy->kind == SKERRY_AOS_QUEUE) != queue) error = AOS_ERROR_PROTOCOL;
    if (!error) return error;
    if (skerry_checking && error == AOS_ERROR_PROTOCOL)
        skerry_fail_values(routine,
                           queue ? "id #: must be the id of a queue, but is the id of a segment"
                                 : "id #: must be the id of a segment, but is the id of a queue",
                           (long[]){(long)id}, 1);
    aos_segment_t about;
    skerry_aos_form(&about, copy, *entry);
    return skerry_aos_refuse(routine, error, &about, 0, 0);
}

int aos_segment_clone(aos_segment_t *segment, uint64_t id, uint32_t flags) {
    static const char routine[] = "aos_segment_clone";
    struct skerry_aos_entry copy, *entry;
    if (!segment) return skerry_aos_refuse_argument(routine, "segment: must not be NULL", 0, 0);
    int error = skerry_aos_acquire(routine, id, flags, false, &copy, &entry);
    if (!error) skerry_aos_form(segment, &copy, entry);
    return error;
}

// Ends a segment, and cancels the conditional atomics on the segment that still wait for their condition. The order of
// the two steps matters, because a message from another node can add an atomic at the same time. The message's handler
// tests whether the segment has ended, under the lock of the owner's list (deferred.c). Either the handler sees that
// the segment has ended, or it adds the atomic before this PE takes the lock. In the second case this PE cancels the
// atomic.
static void unregister_and_cancel(struct skerry_aos_entry *entry, int owner) {
    const uint64_t reference = skerry_aos_reference(entry);
    skerry_aos_unregister(entry);
    if (skerry_aos_can_defer()) skerry_aos_cancel_deferred(owner, reference);
}

int skerry_aos_give_up(const char *routine, aos_segment_t *segment) {
    int error = skerry_aos_usable(segment, 0);
    bool is_clone = segment && segment->kind != SKERRY_AOS_NONE && !segment->is_original;
    if (error && !(error == AOS_ERROR_GONE && is_clone)) return skerry_aos_refuse(routine, error, segment, 0, 0);
    if (!is_clone) unregister_and_cancel(segment->entry, segment->owner);
    segment->kind = SKERRY_AOS_NONE;
    segment->near_bytes = segment->near_words_end = 0;
    return AOS_SUCCESS;
}

int aos_segment_destroy(aos_segment_t *segment) {
    return skerry_aos_give_up("aos_segment_destroy", segment);
}

void skerry_aos_destroy_own(void) {
    struct skerry_aos_area *area = skerry_aos.area;
    for (uint32_t i = 0; i < area->entries_used; i++) {
        struct skerry_aos_entry *entry = &area->entries[i];
        if (SKERRY_LOAD_ACQUIRE(&entry->state) == SKERRY_AOS_FREE) continue;
#if SKERRY_FAR_MESSAGES
        if (entry->original) continue; // the segment is another PE's
#endif
        unregister_and_cancel(entry, entry->owner);
    }
}

// -- Segments that are always there ------------------------------------------------------------------------------------

static void wait_until_up(int pe) {
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(pe)) {
        struct skerry_aos_far_wait wait = skerry_aos_begin_far_wait(AOS_WAIT_DEFAULT);
        while (!skerry_aos_is_up(pe)) skerry_aos_far_pause(&wait);
        skerry_aos_end_wait(&wait.waiter);
        return;
    }
#endif
    SKERRY_AOS_WAIT_UNTIL(skerry_aos_is_up(pe), pe, AOS_WAIT_DEFAULT);
}

int aos_segment_of_pe(aos_segment_t *segment, int pe, uint32_t flags) {
    static const char routine[] = "aos_segment_of_pe";
    if (skerry_aos.initializations == 0) return skerry_aos_refuse(routine, AOS_ERROR_STATE, 0, 0, 0);
    if (!segment) return skerry_aos_refuse_argument(routine, "segment: must not be NULL", 0, 0);
    if (pe < 0 || pe >= skerry_pe_count())
        return skerry_aos_refuse_argument(routine, "pe #: must be 0 to #", (long[]){pe, skerry_pe_count() - 1}, 2);
    int error = check_try(routine, flags);
    if (error) return error;
    if (flags & AOS_TRY && !skerry_aos_is_up(pe)) return AOS_ERROR_NOT_FOUND;
    wait_until_up(pe);
    struct skerry_aos_entry values = {.id = (uint64_t)(unsigned)pe,
                                      .bytes = UINT64_MAX,
                                      .creator = pe,
                                      .owner = pe,
                                      .protocols = AOS_ALL_PROTOCOLS & ~AOS_LOAD_STORE,
                                      .kind = SKERRY_AOS_PE};
    skerry_aos_form(segment, &values, 0);
    return AOS_SUCCESS;
}

#if SKERRY_PRIVATE_MEMORY || SKERRY_FAR_PES

// Returns the PE that a writer notifies after it has changed memory that no PE owns.
static int owner_of_shared(const void *address) {
    return skerry_owner(address);
}

#else

// Returns the PE whose list holds the conditional atomics on memory that no PE owns. This can be any PE, but all PEs
// must choose the same one.
static int owner_of_shared(const void *address) {
    (void)address;
    return 0;
}

#endif

int aos_segment_of_shared(aos_segment_t *segment) {
    static const char routine[] = "aos_segment_of_shared";
    if (skerry_aos.initializations == 0) return skerry_aos_refuse(routine, AOS_ERROR_STATE, 0, 0, 0);
    if (!segment) return skerry_aos_refuse_argument(routine, "segment: must not be NULL", 0, 0);
    size_t bytes;
    void *memory = skerry_shared_memory(&bytes);
    if (!bytes) return AOS_ERROR_MEMORY;
    struct skerry_aos_entry values = {.bytes = bytes,
                                      .base = (uint64_t)(uintptr_t)memory,
                                      .creator = owner_of_shared(memory),
                                      .owner = owner_of_shared(memory),
                                      .protocols = AOS_ALL_PROTOCOLS,
                                      .kind = SKERRY_AOS_SHARED,
                                      .near = true};
    skerry_aos_form(segment, &values, 0);
    return AOS_SUCCESS;
}

// -- Memory of no PE ---------------------------------------------------------------------------------------------------

void *aos_malloc(size_t bytes) {
    return skerry_shared_allocate(bytes);
}

void aos_free(void *block) {
    if (!block) return;
    if (skerry_shared_release(block) != HEAP_FAULT_NONE)
        skerry_fail_values("aos_free", "block @: must be the address of an allocated block",
                           (long[]){(long)(uintptr_t)block}, 1);
}
