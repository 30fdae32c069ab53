// SPDX-License-Identifier: BSD-3-Clause
// Locates memory: finds the PE that owns an address, and the kind of access by which this PE reaches a part of a
// segment. Also computes the reference of a segment, which is a number for the segment's table entry.
#include "internal.h"

#define SKERRY_AOS_SYMBOLS
#include "api.h"
#include "segment.h"

#if SKERRY_PRIVATE_MEMORY

static bool is_shared(uint64_t address, uint64_t bytes) {
    size_t size;
    uint64_t at = address - (uint64_t)(uintptr_t)skerry_shared_memory(&size);
    return at < size && bytes <= size - at;
}

// Returns true if the address is a global address (the same byte in every PE) inside the symmetric memory of some PE.
// Stores the number of that PE to `*owner`.
static bool is_partition(uint64_t address, uint64_t bytes, int *owner) {
    const void *place = (const void *)(uintptr_t)address;
    *owner = skerry_owner(place);
    if (*owner < 0 || *owner >= skerry_pe_count() || skerry_global(place, *owner) != place) return false;
    return skerry_is_symmetric(place, (size_t)bytes);
}

bool skerry_aos_is_global(const volatile void *address, uint64_t bytes, uint64_t *global, int *owner) {
    *global = (uint64_t)(uintptr_t)address;
    if (is_partition(*global, bytes, owner)) return true;
    *owner = skerry_owner((const void *)(uintptr_t)*global); // the PE that writers notify; all PEs choose the same one
    if (is_shared(*global, bytes)) return true;
    *owner = skerry_my_pe();
    if (!skerry_job_is_open() || !skerry_is_symmetric(address, (size_t)bytes)) return false;
    *global = (uint64_t)(uintptr_t)skerry_global(address, *owner);
    return true;
}

// Locates an address in the segment of all memory of PE `pe` (aos_segment_of_pe). Only two kinds of addresses can be
// near memory (SKERRY_AOS_NEAR): global addresses of that PE's partition (its part of the job's memory), and addresses
// of memory that all PEs share. Any other address belongs to that PE's own address space.
static struct skerry_aos_way locate_in_pe(int pe, uint64_t address, uint64_t bytes) {
    int owner;
    if (is_partition(address, bytes, &owner) && owner == pe)
        return (struct skerry_aos_way){address, pe, SKERRY_AOS_IS_FAR(pe) ? SKERRY_AOS_REMOTE : SKERRY_AOS_NEAR};
    if (!SKERRY_AOS_IS_FAR(pe) && is_shared(address, bytes))
        return (struct skerry_aos_way){address, skerry_owner((const void *)(uintptr_t)address), SKERRY_AOS_NEAR};
    return (struct skerry_aos_way){address, pe, pe == skerry_my_pe() ? SKERRY_AOS_OWN : SKERRY_AOS_FAR};
}

#else

bool skerry_aos_is_global(const volatile void *address, uint64_t bytes, uint64_t *global, int *owner) {
    *global = (uint64_t)(uintptr_t)address;
    *owner = skerry_my_pe();
    if (bytes > SIZE_MAX) return false; // more than this machine can address
    const void *there = skerry_everywhere(address, (size_t)bytes, owner);
    if (*owner < 0) *owner = skerry_my_pe();
    if (there) *global = (uint64_t)(uintptr_t)there;
    return there != 0;
}

static struct skerry_aos_way locate_in_pe(int pe, uint64_t address, uint64_t bytes) {
    const void *place = (const void *)(uintptr_t)address;
    if (skerry_localize(place) == place) place = skerry_global(place, pe);
    struct skerry_aos_way way = {.how = SKERRY_AOS_FAR};
    bool there = address <= UINTPTR_MAX && skerry_aos_is_global(place, bytes, &way.address, &way.owner);
    bool outside = skerry_is_outside(place);
    if (there && (outside || way.owner == pe)) way.how = outside ? SKERRY_AOS_OUTSIDE : SKERRY_AOS_NEAR;
    if (way.how == SKERRY_AOS_NEAR && SKERRY_AOS_IS_FAR(pe)) way.how = SKERRY_AOS_REMOTE;
    return way;
}

#endif

struct skerry_aos_way skerry_aos_locate(const aos_segment_t *segment, uint64_t offset, uint64_t bytes) {
    uint64_t address = (uint64_t)(uintptr_t)segment->base + offset;
    if (segment->kind == SKERRY_AOS_PE) return locate_in_pe(segment->owner, address, bytes);
    if (SKERRY_FAR_MESSAGES && segment->is_far)
        return (struct skerry_aos_way){address, segment->owner, SKERRY_AOS_REMOTE};
    enum skerry_aos_how how = skerry_is_outside(segment->base) ? SKERRY_AOS_OUTSIDE : SKERRY_AOS_NEAR;
    bool own = SKERRY_PRIVATE_MEMORY && segment->creator == skerry_my_pe();
    if (!segment->is_near) how = own ? SKERRY_AOS_OWN : SKERRY_AOS_FAR;
    return (struct skerry_aos_way){address, segment->owner, how};
}

// Returns the lower half of an entry's reference: the number, from 1, of the entry among the entries of all PEs.
static uint32_t reference_of(const struct skerry_aos_entry *entry) {
    int pe = entry->creator;
    const struct skerry_aos_entry *there = skerry_global(entry, pe); // `entry` can be a local address
    return (uint32_t)pe * SKERRY_AOS_SEGMENTS_MAX + (uint32_t)(there - skerry_aos_area(pe)->entries) + 1;
}

// Returns the reference of a segment's entry: a number that stands for the entry. The upper half holds the lower 32
// bits of the entry's generation. The generation distinguishes segments that used the same entry one after the other.
// 32 bits suffice, because the destruction of a segment cancels the deferred atomics that hold its reference. So a
// reference is never compared with that of a segment 2^32 generations later.
uint64_t skerry_aos_reference(const struct skerry_aos_entry *entry) {
    return entry ? (uint64_t)entry->generation << 32 | reference_of(entry) : 0;
}

#if SKERRY_FAR_MESSAGES

uint64_t skerry_aos_reference_of(const aos_segment_t *segment) {
    if (!segment->entry) return 0;
    const struct skerry_aos_entry *there = skerry_global(segment->entry, segment->creator);
    uint32_t at_creator = (uint32_t)(there - skerry_aos_area(segment->creator)->entries);
    uint32_t reference = (uint32_t)segment->creator * SKERRY_AOS_SEGMENTS_MAX + at_creator + 1;
    return (uint64_t)segment->generation << 32 | reference;
}

#endif

// -- Load and store ----------------------------------------------------------------------------------------------------

void *aos_pointer(const aos_segment_t *segment, uint64_t offset, uint64_t bytes) {
    if (skerry_aos_usable(segment, 0) != AOS_SUCCESS) return 0;
    if (bytes > segment->bytes || offset > segment->bytes - bytes) return 0;
    struct skerry_aos_way way = skerry_aos_locate(segment, offset, bytes);
    if (SKERRY_FAR_MESSAGES && way.how == SKERRY_AOS_REMOTE) return 0;
    if (way.how == SKERRY_AOS_FAR || (way.how != SKERRY_AOS_OWN && !(segment->protocols & AOS_LOAD_STORE))) return 0;
#if SKERRY_FAR_MESSAGES && !SKERRY_PRIVATE_MEMORY
    // The program names symmetric memory by global addresses (shmem_ptr), and its other memory by its own ones.
    void *const global = (void *)(uintptr_t)way.address;
    if (way.owner == skerry_my_pe() && !skerry_is_symmetric(global, 1)) return skerry_localize(global);
#endif
    return (void *)(uintptr_t)way.address;
}

uint64_t aos_offset(const aos_segment_t *segment, const void *address) {
    if (skerry_aos_usable(segment, 0) != AOS_SUCCESS) return UINT64_MAX;
    uint64_t base = (uint64_t)(uintptr_t)segment->base, at = (uint64_t)(uintptr_t)address;
    uint64_t global;
    int owner;
    if (SKERRY_FAR_MESSAGES && segment->is_far) return UINT64_MAX; // this PE has no address in the segment
    if (at - base >= segment->bytes && segment->is_near && skerry_aos_is_global(address, 1, &global, &owner))
        at = global;
    return at - base < segment->bytes ? at - base : UINT64_MAX;
}

uint64_t aos_segment_bytes(const aos_segment_t *segment) {
    return segment->bytes;
}

uint64_t aos_segment_id(const aos_segment_t *segment) {
    return segment->id;
}

int aos_segment_owner(const aos_segment_t *segment) {
    return segment->creator;
}
