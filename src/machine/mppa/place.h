// SPDX-License-Identifier: BSD-3-Clause
// Defines where the memory of each PE is. A PE is a cluster. Its memory has two addresses: SKERRY_MPPA_MEMORY, which is
// the same in each cluster, and a global address, which names one cluster. Only the cores of a cluster can access its
// memory, at both addresses. Programs are linked to the first one.
//
// A PE can also be an I/O node, which has such a memory too, and DDR memory besides. The first DDR is memory of PE 0, and
// the second one memory of the last PE. An address in a DDR names the same byte everywhere.
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
#define SKERRY_MPPA_DDR 0xa0000000u // of the first I/O node; that of the second one follows
#define SKERRY_MPPA_DDR_SHIFT 28
#define SKERRY_MPPA_DDR_BYTES (1u << SKERRY_MPPA_DDR_SHIFT)
#define SKERRY_PES_MAX 18 // clusters and I/O nodes of the chip

// The part of each DDR that all programs of a job allocate from (skerry_common_memory). malloc of the I/O node's program has
// the other part.
#define SKERRY_MPPA_COMMON_BYTES (SKERRY_MPPA_DDR_BYTES / 2)
#define SKERRY_MPPA_COMMON_MEMORY (SKERRY_MPPA_DDR + SKERRY_MPPA_DDR_BYTES - SKERRY_MPPA_COMMON_BYTES)

SKERRY_ALWAYS_INLINE int skerry_times(int rank, int stride) {
    return rank * stride;
}

SKERRY_ALWAYS_INLINE bool skerry_is_near(int pe) {
    return pe == skerry_facts.my_pe;
}

SKERRY_ALWAYS_INLINE void skerry_assume_near(int pe) {
    (void)pe;
}

SKERRY_ALWAYS_INLINE bool skerry_has_far_pes(void) {
    return skerry_facts.pe_count > 1;
}

SKERRY_ALWAYS_INLINE bool skerry_far_is_open(void) {
    return true;
}

// Returns true if an address is in a DDR.
SKERRY_ALWAYS_INLINE bool skerry_is_ddr(const volatile void *address) {
    return (uint32_t)(uintptr_t)address - SKERRY_MPPA_DDR < 2 * SKERRY_MPPA_DDR_BYTES;
}

// Returns the offset of a symmetric or global address in the memory of its PE: an offset from SKERRY_MPPA_MEMORY. An address
// in a DDR, or in no memory, has an offset behind this memory, so accesses to such an offset do not meet other memory.
SKERRY_ALWAYS_INLINE uint32_t skerry_offset_of_any(const volatile void *address) {
    const uint32_t at = (uint32_t)(uintptr_t)address, offset = at - SKERRY_MPPA_MEMORY;
    if (__builtin_expect(offset < SKERRY_MPPA_PARTITION_BYTES, 1)) return offset;
    const bool is_global = at - SKERRY_MPPA_GLOBAL < (uint32_t)SKERRY_PES_MAX << SKERRY_MPPA_PARTITION_SHIFT;
    return is_global ? at & SKERRY_MPPA_PARTITION_MASK : offset;
}

extern uint32_t skerry_io_nodes; // that are PEs (pe.c)

// Returns true if an address is in the DDR of an I/O node that is a PE.
SKERRY_ALWAYS_INLINE bool skerry_is_ddr_of_pe(const volatile void *address) {
    return ((uint32_t)(uintptr_t)address - SKERRY_MPPA_DDR) >> SKERRY_MPPA_DDR_SHIFT < skerry_io_nodes;
}

SKERRY_NORETURN void skerry_refuse_address(const volatile void *address); // request.c

// Does the same for an operation on another PE. Ends the job with a message if no PE has memory at the address. The DMA
// unit that reads or writes the memory checks the end of the range.
SKERRY_ALWAYS_INLINE uint32_t skerry_offset(const volatile void *address) {
    const uint32_t offset = skerry_offset_of_any(address);
    if (__builtin_expect(offset >= SKERRY_MPPA_PARTITION_BYTES, 0) && !skerry_is_ddr_of_pe(address))
        skerry_refuse_address(address);
    return offset;
}

// Returns an address that is in no PE's own memory unchanged.
SKERRY_ALWAYS_INLINE void *skerry_global(const volatile void *symmetric, int pe) {
    const uint32_t offset = skerry_offset_of_any(symmetric);
    if (__builtin_expect(offset >= SKERRY_MPPA_PARTITION_BYTES, 0)) return (void *)(uintptr_t)symmetric;
    return (void *)(uintptr_t)(offset + (SKERRY_MPPA_GLOBAL + ((uint32_t)pe << SKERRY_MPPA_PARTITION_SHIFT)));
}

// An address below the global addresses is one of this PE's own memory.
SKERRY_ALWAYS_INLINE int skerry_owner(const volatile void *global) {
    const uintptr_t at = (uintptr_t)global - SKERRY_MPPA_GLOBAL;
    if (at < (uintptr_t)SKERRY_PES_MAX << SKERRY_MPPA_PARTITION_SHIFT) return (int)(at >> SKERRY_MPPA_PARTITION_SHIFT);
    if (!skerry_is_ddr(global)) return skerry_facts.my_pe;
    return (uintptr_t)global - SKERRY_MPPA_DDR < SKERRY_MPPA_DDR_BYTES ? 0 : skerry_facts.pe_count - 1;
}

SKERRY_ALWAYS_INLINE void *skerry_localize(const volatile void *global) {
    return (void *)(uintptr_t)(skerry_offset_of_any(global) + SKERRY_MPPA_MEMORY);
}

bool skerry_is_symmetric(const volatile void *address, size_t bytes);

// Returns -1 in *owner for an address that no PE has.
void *skerry_everywhere(const volatile void *address, size_t bytes, int *owner);

#endif
