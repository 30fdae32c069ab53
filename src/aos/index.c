// SPDX-License-Identifier: BSD-3-Clause
// Finds segments by number. Each number has a home PE, in whose area (its tables) the number is looked up. A hash of
// the number chooses the home PE, so that lookups do not all go to one PE. The entry of a segment lies in the area of
// the PE that created the segment, and only this PE makes and ends the entry. The home PE's index lock protects the
// chain of entries with the same hash, and each entry's contents while other PEs can read them.
#include "internal.h"

static uint64_t mix(uint64_t id) {
    id ^= id >> 31;
    id *= UINT64_C(0x9E3779B97F4A7C15);
    return id ^ id >> 29;
}

int skerry_aos_home(uint64_t id) {
    return (int)((uint32_t)(mix(id) >> 40) % (uint32_t)skerry_pe_count());
}

static uint32_t *bucket_of(uint64_t id) {
    return &skerry_aos_area(skerry_aos_home(id))->buckets[mix(id) % SKERRY_AOS_BUCKETS];
}

// Returns the entry that has the reference `reference`. References number the entries of all PEs from 1; reference 0
// means no entry.
static struct skerry_aos_entry *entry_at(uint32_t reference) {
    uint32_t at = reference - 1;
    return &skerry_aos_area((int)(at / SKERRY_AOS_SEGMENTS_MAX))->entries[at % SKERRY_AOS_SEGMENTS_MAX];
}

static struct skerry_aos_entry *take_entry(void) {
    struct skerry_aos_area *area = skerry_aos.area;
    int me = skerry_my_pe();
    skerry_aos_lock(&area->own_lock, me);
    uint32_t number = area->entries_free;
    if (number) area->entries_free = area->entries[number - 1].next;
    else if (area->entries_used < SKERRY_AOS_SEGMENTS_MAX) number = ++area->entries_used;
    skerry_aos_unlock(&area->own_lock, me);
    return number ? &area->entries[number - 1] : 0;
}

static void return_entry(struct skerry_aos_entry *entry) {
    struct skerry_aos_area *area = skerry_aos.area;
    int me = skerry_my_pe();
    skerry_aos_lock(&area->own_lock, me);
    entry->next = area->entries_free;
    area->entries_free = (uint32_t)(entry - area->entries) + 1;
    skerry_aos_unlock(&area->own_lock, me);
}

// Returns the entry of the segment with number `id`; NULL if there is no such segment. The caller must hold the index
// lock of the number's home PE.
static struct skerry_aos_entry *look_up(uint64_t id) {
    uint32_t reference = *bucket_of(id);
    while (reference && entry_at(reference)->id != id) reference = entry_at(reference)->next;
    return reference ? entry_at(reference) : 0;
}

struct skerry_aos_entry *skerry_aos_register(const struct skerry_aos_entry *wanted, int *error) {
    struct skerry_aos_entry *entry = take_entry();
    *error = entry ? AOS_SUCCESS : AOS_ERROR_MEMORY;
    if (!entry) return 0;
    skerry_word generation = entry->generation;
    *entry = *wanted;
    entry->generation = generation;
    int home = skerry_aos_home(entry->id);
    struct skerry_aos_area *area = skerry_aos_area(home);
    skerry_aos_lock(&area->index_lock, home);
    bool taken = look_up(entry->id) != 0;
    if (!taken) {
        entry->next = *bucket_of(entry->id);
        *bucket_of(entry->id) = (uint32_t)skerry_aos_reference(entry);
    }
    skerry_aos_unlock(&area->index_lock, home);
    if (!taken) return entry;
    entry->state = SKERRY_AOS_FREE;
    return_entry(entry);
    *error = AOS_ERROR_EXISTS;
    return 0;
}

void skerry_aos_publish(struct skerry_aos_entry *entry) {
    skerry_quiet(); // a PE that finds the segment must see this PE's earlier stores to all PEs
    int home = skerry_aos_home(entry->id);
    struct skerry_aos_area *area = skerry_aos_area(home);
    skerry_aos_lock(&area->index_lock, home);
    entry->state = SKERRY_AOS_PUBLISHED;
    skerry_aos_unlock(&area->index_lock, home);
    skerry_atomic_add_32(&area->published, 1, home);
}

void skerry_aos_unregister(struct skerry_aos_entry *entry) {
    int home = skerry_aos_home(entry->id);
    struct skerry_aos_area *area = skerry_aos_area(home);
    uint32_t own = (uint32_t)skerry_aos_reference(entry);
    skerry_aos_lock(&area->index_lock, home);
    uint32_t *link = bucket_of(entry->id);
    int place = home; // PE in whose memory `link` lies
    while (*link && *link != own) {
        place = entry_at(*link)->creator;
        link = &entry_at(*link)->next;
    }
    if (*link) skerry_put_value(uint32_t, link, entry->next, place);
    skerry_quiet(); // makes `*link` visible before the lock's release; the lock can be in another PE's memory
    entry->state = SKERRY_AOS_FREE;
    skerry_store_release(&entry->generation, entry->generation + 1, skerry_my_pe());
    skerry_aos_unlock(&area->index_lock, home);
    return_entry(entry);
}

bool skerry_aos_find(uint64_t id, struct skerry_aos_entry *copy, struct skerry_aos_entry **entry) {
    int home = skerry_aos_home(id);
    struct skerry_aos_area *area = skerry_aos_area(home);
    skerry_aos_lock(&area->index_lock, home);
    *entry = look_up(id);
    bool found = *entry && (*entry)->state == SKERRY_AOS_PUBLISHED;
    if (found) *copy = **entry;
    skerry_aos_unlock(&area->index_lock, home);
    return found;
}
