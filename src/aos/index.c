// SPDX-License-Identifier: BSD-3-Clause
// Finds segments by number. A hash of the number chooses the number's home PE, so that lookups do not all go to one PE.
// The index (the hash table) of the home PE has the segment's entry in one of its buckets. The entry itself lies in the
// area (the tables) of the PE that created the segment. Only this creator makes and ends the entry. The home PE's
// index_lock protects the chains of the index. It also protects each entry's contents while other PEs can read them.
#include "credits.h"
#include "internal.h"

static uint64_t mix(uint64_t id) {
    id ^= id >> 31;
    id *= UINT64_C(0x9E3779B97F4A7C15);
    return id ^ id >> 29;
}

// In a job of several programs, whose PEs need not run, PE 0 is the home of all numbers.
int skerry_aos_home(uint64_t id) {
#if SKERRY_PROGRAMS_MAX && !SKERRY_PRIVATE_MEMORY
    if (skerry_has_programs()) return 0;
#endif
    return (int)((uint32_t)(mix(id) >> 40) % (uint32_t)skerry_pe_count());
}

static uint32_t *bucket_of(uint64_t id) {
    return &skerry_aos_area(skerry_aos_home(id))->buckets[mix(id) % SKERRY_AOS_BUCKETS];
}

// Returns the entry with the reference `reference`. A reference is the number, from 1, of an entry among the entries of
// all PEs. 0 stands for no entry, and must not be passed.
static struct skerry_aos_entry *entry_at(uint32_t reference) {
    uint32_t at = reference - 1;
    return &skerry_aos_area((int)(at / SKERRY_AOS_SEGMENTS_MAX))->entries[at % SKERRY_AOS_SEGMENTS_MAX];
}

// Returns a free entry for a segment in a PE's area (its tables); NULL if there is none. The caller must hold the
// area's own_lock.
static struct skerry_aos_entry *take_entry_of(struct skerry_aos_area *area) {
    uint32_t number = area->entries_free;
    if (number) area->entries_free = area->entries[number - 1].next;
    else if (area->entries_used < SKERRY_AOS_SEGMENTS_MAX) number = ++area->entries_used;
    return number ? &area->entries[number - 1] : 0;
}

static void return_entry_of(struct skerry_aos_area *area, struct skerry_aos_entry *entry) {
    entry->next = area->entries_free;
    area->entries_free = (uint32_t)(entry - area->entries) + 1;
}

static struct skerry_aos_entry *take_entry(void) {
    int me = skerry_my_pe();
    skerry_aos_lock(&skerry_aos.area->own_lock, me);
    struct skerry_aos_entry *entry = take_entry_of(skerry_aos.area);
    skerry_aos_unlock(&skerry_aos.area->own_lock, me);
    return entry;
}

static void return_entry(struct skerry_aos_entry *entry) {
    int me = skerry_my_pe();
    skerry_aos_lock(&skerry_aos.area->own_lock, me);
    return_entry_of(skerry_aos.area, entry);
    skerry_aos_unlock(&skerry_aos.area->own_lock, me);
}

// Returns the entry of the segment with number `id`. Returns NULL if there is no such segment. The caller must hold
// index_lock of the number's home PE (the PE that looks the number up).
static struct skerry_aos_entry *look_up(uint64_t id) {
    uint32_t reference = *bucket_of(id);
    while (reference && entry_at(reference)->id != id) reference = entry_at(reference)->next;
    return reference ? entry_at(reference) : 0;
}

// Inserts an entry into the index (the table that finds segments by number). Returns AOS_ERROR_EXISTS if the index
// already has an entry with the same number. `reference` is the number that stands for the entry in the index. The
// caller must hold index_lock of the number's home PE.
static int insert(struct skerry_aos_entry *entry, uint32_t reference) {
    if (look_up(entry->id)) return AOS_ERROR_EXISTS;
    entry->next = *bucket_of(entry->id);
    *bucket_of(entry->id) = reference;
    return AOS_SUCCESS;
}

static int insert_at_home(struct skerry_aos_entry *entry) {
    int home = skerry_aos_home(entry->id);
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(home)) return skerry_aos_far_register(entry);
#endif
    struct skerry_aos_area *area = skerry_aos_area(home);
    skerry_aos_lock(&area->index_lock, home);
    int error = insert(entry, (uint32_t)skerry_aos_reference(entry));
    skerry_aos_unlock(&area->index_lock, home);
    return error;
}

struct skerry_aos_entry *skerry_aos_register(const struct skerry_aos_entry *wanted, int *error) {
    struct skerry_aos_entry *entry = take_entry();
    *error = entry ? AOS_SUCCESS : AOS_ERROR_MEMORY;
    if (!entry) return 0;
    skerry_word generation = entry->generation;
    *entry = *wanted;
    entry->generation = generation;
    *error = insert_at_home(entry);
    if (!*error) return entry;
    entry->state = SKERRY_AOS_FREE;
    return_entry(entry);
    return 0;
}

void skerry_aos_publish(struct skerry_aos_entry *entry) {
    skerry_quiet(); // a PE that finds the segment must see this PE's earlier stores to all PEs
    int home = skerry_aos_home(entry->id);
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(home)) {
        entry->state = SKERRY_AOS_PUBLISHED;
        skerry_aos_far_publish(entry);
        return;
    }
#endif
    struct skerry_aos_area *area = skerry_aos_area(home);
    skerry_aos_lock(&area->index_lock, home);
    entry->state = SKERRY_AOS_PUBLISHED;
    skerry_aos_unlock(&area->index_lock, home);
    skerry_atomic_add_32(&area->published, 1, home);
}

// Removes an entry from its chain: the list of entries whose numbers have the same hash. `id` is the number of the
// entry's segment. `own` is the reference (the number) of the entry itself. `next` is the reference of the next entry
// in the chain. The caller must hold index_lock of `home`, the PE that looks `id` up.
static void remove_from_chain(uint64_t id, uint32_t own, uint32_t next, int home) {
    uint32_t *link = bucket_of(id);
    int place = home; // PE in whose memory `link` lies
    while (*link && *link != own) {
        place = (int)((*link - 1) / SKERRY_AOS_SEGMENTS_MAX);
        link = &entry_at(*link)->next;
    }
    if (*link) skerry_put_value(uint32_t, link, next, place);
    skerry_aos_full_fence(); // makes `*link` visible before the lock's release; the lock can be in another PE's memory
}

// Ends the segment of an entry. The caller must ensure that no PE finds the entry during this call. So either the entry
// has left the index (the table that finds segments by number), or the caller holds index_lock.
static void end_entry(struct skerry_aos_entry *entry) {
    entry->state = SKERRY_AOS_FREE;
    skerry_store_release(&entry->generation, entry->generation + 1, skerry_my_pe());
}

static void end_promises(struct skerry_aos_entry *entry) {
#if SKERRY_FAR_WATCHES
    if (entry->identity) skerry_aos_end_promises(entry->identity);
    entry->identity = 0;
#else
    (void)entry;
#endif
}

void skerry_aos_unregister(struct skerry_aos_entry *entry) {
    int home = skerry_aos_home(entry->id);
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(home)) {
        skerry_aos_far_unregister(entry);
        end_entry(entry);
        end_promises(entry);
        return_entry(entry);
        return;
    }
#endif
    struct skerry_aos_area *area = skerry_aos_area(home);
    skerry_aos_lock(&area->index_lock, home);
    remove_from_chain(entry->id, (uint32_t)skerry_aos_reference(entry), entry->next, home);
    end_entry(entry);
    skerry_aos_unlock(&area->index_lock, home);
    end_promises(entry);
    return_entry(entry);
}

#if SKERRY_FAR_MESSAGES

// -- Copies of entries of other nodes ----------------------------------------------------------------------------------

// A segment's creator and the home PE of its number (the PE that looks the number up) can be on different nodes. If so,
// the area (the tables) of the home PE contains a copy of the segment's entry. The index contains the copy, and the
// entry itself is in no index. The functions of this section run on the home PE's node, and handle messages of PEs of
// other nodes.

int skerry_aos_insert_copy(const struct skerry_aos_entry *entry, int home) {
    struct skerry_aos_area *area = skerry_aos_area(home);
    skerry_aos_lock_at_once(&area->own_lock, home);
    struct skerry_aos_entry *copy = take_entry_of(area);
    skerry_aos_unlock(&area->own_lock, home);
    if (!copy) return AOS_ERROR_MEMORY;
    skerry_word generation = copy->generation;
    // skerry_aos_destroy_own of the home PE can look at this entry meanwhile. It must not take a copy for an entry of its own,
    // so `original` is not 0 from before the state says that the entry is used until after the state says that it is free.
    __atomic_store_n(&copy->original, entry->original, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    *copy = *entry;
    copy->generation = generation;
    const uint32_t at_home = (uint32_t)(copy - area->entries) + 1;
    skerry_aos_lock_at_once(&area->index_lock, home);
    int error = insert(copy, (uint32_t)home * SKERRY_AOS_SEGMENTS_MAX + at_home);
    skerry_aos_unlock(&area->index_lock, home);
    if (!error) return error;
    copy->state = SKERRY_AOS_FREE;
    skerry_aos_lock_at_once(&area->own_lock, home);
    return_entry_of(area, copy);
    skerry_aos_unlock(&area->own_lock, home);
    return error;
}

void skerry_aos_publish_copy(const struct skerry_aos_entry *entry, int home) {
    struct skerry_aos_area *area = skerry_aos_area(home);
    skerry_aos_lock_at_once(&area->index_lock, home);
    struct skerry_aos_entry *copy = look_up(entry->id);
    if (copy && copy->original == entry->original) copy->state = SKERRY_AOS_PUBLISHED;
    skerry_aos_unlock(&area->index_lock, home);
    skerry_atomic_add_32(&area->published, 1, home);
}

void skerry_aos_remove_copy(const struct skerry_aos_entry *entry, int home) {
    struct skerry_aos_area *area = skerry_aos_area(home);
    skerry_aos_lock_at_once(&area->index_lock, home);
    struct skerry_aos_entry *copy = look_up(entry->id);
    bool found = copy && copy->original == entry->original;
    if (found) {
        const uint32_t at_home = (uint32_t)(copy - area->entries) + 1;
        remove_from_chain(copy->id, (uint32_t)home * SKERRY_AOS_SEGMENTS_MAX + at_home, copy->next, home);
        copy->state = SKERRY_AOS_FREE; // `original` stays, see skerry_aos_insert_copy
    }
    skerry_aos_unlock(&area->index_lock, home);
    if (!found) return;
    skerry_aos_lock_at_once(&area->own_lock, home);
    return_entry_of(area, copy);
    skerry_aos_unlock(&area->own_lock, home);
}

bool skerry_aos_find_copy(uint64_t id, struct skerry_aos_entry *copy) {
    int home = skerry_aos_home(id);
    struct skerry_aos_area *area = skerry_aos_area(home);
    skerry_aos_lock_at_once(&area->index_lock, home);
    const struct skerry_aos_entry *found = look_up(id);
    bool published = found && found->state == SKERRY_AOS_PUBLISHED;
    if (published) *copy = *found;
    if (published && !found->original) {
        copy->original = (uint32_t)skerry_aos_reference(found);
        copy->original_generation = found->generation;
    }
    skerry_aos_unlock(&area->index_lock, home);
    return published;
}

bool skerry_aos_is_current(uint64_t reference) {
    return (uint32_t)SKERRY_LOAD_ACQUIRE(&entry_at((uint32_t)reference)->generation) == (uint32_t)(reference >> 32);
}

struct skerry_aos_entry *skerry_aos_entry_of(uint64_t reference) {
    return entry_at((uint32_t)reference);
}

// Changes a copy of an entry so that it has the fields of the entry itself. A copy is an entry in the index that stands
// for an entry of another node. Returns the address of the entry itself. If that entry is on another node, this PE can
// compare the address with others, but must not access memory there.
static struct skerry_aos_entry *resolve(struct skerry_aos_entry *copy) {
    struct skerry_aos_entry *entry = entry_at(copy->original);
    copy->generation = copy->original_generation;
    copy->original = 0;
    return entry;
}

#endif

bool skerry_aos_find(uint64_t id, struct skerry_aos_entry *copy, struct skerry_aos_entry **entry) {
    int home = skerry_aos_home(id);
#if SKERRY_FAR_MESSAGES
    if (SKERRY_AOS_IS_FAR(home)) {
        bool is_there = skerry_aos_far_find(id, copy);
#if SKERRY_FAR_WATCHES
        if (is_there) skerry_far_is_running(copy->owner); // so that the machine knows that it does
#endif
        if (is_there) *entry = resolve(copy);
        return is_there;
    }
#endif
    struct skerry_aos_area *area = skerry_aos_area(home);
    skerry_aos_lock(&area->index_lock, home);
    *entry = look_up(id);
    bool found = *entry && (*entry)->state == SKERRY_AOS_PUBLISHED;
    if (found) *copy = **entry;
    skerry_aos_unlock(&area->index_lock, home);
#if SKERRY_FAR_WATCHES
    if (found && SKERRY_AOS_IS_FAR(copy->owner)) skerry_far_is_running(copy->owner);
#endif
#if SKERRY_FAR_MESSAGES
    if (found && copy->original) *entry = resolve(copy);
#endif
    return found;
}
