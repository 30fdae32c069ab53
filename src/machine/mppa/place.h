// SPDX-License-Identifier: BSD-3-Clause
// Defines where the memory of each PE is. A PE is a cluster. Its memory has two addresses: SKERRY_MPPA_MEMORY, which is
// the same in each cluster, and a global address, which names one cluster. Only the cores of a cluster can access its
// memory, at both addresses. Programs are linked to the first one.
#ifndef SKERRY_MACHINE_MPPA_PLACE_H
#define SKERRY_MACHINE_MPPA_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../chip/facts.h"

#define SKERRY_MPPA_MEMORY 0x40000000u // mppa.ld compares these values with the machine's
#define SKERRY_MPPA_GLOBAL 0x80000000u
#define SKERRY_MPPA_PARTITION_SHIFT 21
#define SKERRY_MPPA_PARTITION_BYTES (1u << SKERRY_MPPA_PARTITION_SHIFT)
#define SKERRY_MPPA_PARTITION_MASK (SKERRY_MPPA_PARTITION_BYTES - 1)
#define SKERRY_PES_MAX 16 // clusters of the chip

SKERRY_ALWAYS_INLINE int skerry_times(int rank, int stride) {
    return rank * stride;
}

SKERRY_ALWAYS_INLINE bool skerry_is_near(int pe) {
    return pe == skerry_facts.my_pe;
}

SKERRY_ALWAYS_INLINE bool skerry_has_far_pes(void) {
    return skerry_facts.pe_count > 1;
}

// Returns the offset of a symmetric or global address in the memory of its PE.
SKERRY_ALWAYS_INLINE uint32_t skerry_offset(const volatile void *address) {
    return (uint32_t)(uintptr_t)address & SKERRY_MPPA_PARTITION_MASK;
}

SKERRY_ALWAYS_INLINE void *skerry_global(const volatile void *symmetric, int pe) {
    return (void *)(uintptr_t)(skerry_offset(symmetric) +
                               (SKERRY_MPPA_GLOBAL + ((uint32_t)pe << SKERRY_MPPA_PARTITION_SHIFT)));
}

// An address below the global addresses is one of this PE's own memory.
SKERRY_ALWAYS_INLINE int skerry_owner(const volatile void *global) {
    const uintptr_t at = (uintptr_t)global - SKERRY_MPPA_GLOBAL;
    return at < (uintptr_t)SKERRY_PES_MAX << SKERRY_MPPA_PARTITION_SHIFT ? (int)(at >> SKERRY_MPPA_PARTITION_SHIFT)
                                                                         : skerry_facts.my_pe;
}

SKERRY_ALWAYS_INLINE void *skerry_localize(const volatile void *global) {
    return (void *)(uintptr_t)(skerry_offset(global) | SKERRY_MPPA_MEMORY);
}

bool skerry_is_symmetric(const volatile void *address, size_t bytes);

// Returns -1 in *owner for an address that no PE has.
void *skerry_everywhere(const volatile void *address, size_t bytes, int *owner);

#endif
