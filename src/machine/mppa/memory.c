// SPDX-License-Identifier: BSD-3-Clause
// Returns the bounds of a PE's symmetric memory, which the linker script defines, and copies within it.
#pragma GCC optimize "O2"
#include "../chip/chip.h"

#include "copy_words.h" // ../riscv
#include "start.h"

// The symmetric heap is not the heap of malloc, which ../riscv/worker_memory.c calls skerry_heap_begin.
extern char skerry_system_end[], skerry_table_begin[], skerry_table_end[], skerry_symmetric_begin[],
    skerry_symmetric_end[];

void *skerry_heap_memory(size_t *bytes) {
    *bytes = (size_t)(skerry_symmetric_end - skerry_symmetric_begin);
    return skerry_symmetric_begin;
}

void *skerry_system_memory(size_t *bytes) {
    *bytes = (size_t)(skerry_system_end - skerry_system_begin);
    return skerry_system_begin;
}

void *skerry_table_memory(size_t *bytes) {
    *bytes = (size_t)(skerry_table_end - skerry_table_begin);
    return skerry_table_begin;
}

bool skerry_is_symmetric(const volatile void *address, size_t bytes) {
    const uintptr_t at = (uintptr_t)address, global = at - SKERRY_MPPA_GLOBAL;
    const uintptr_t all = (uintptr_t)skerry_facts.pe_count << SKERRY_MPPA_PARTITION_SHIFT;
    if (skerry_is_ddr(address)) return false;
    if (at - SKERRY_MPPA_MEMORY >= SKERRY_MPPA_PARTITION_BYTES && global >= all) return false;
    const uintptr_t here = (uintptr_t)skerry_localize(address);
    const uintptr_t begin = (uintptr_t)skerry_local_begin, end = (uintptr_t)skerry_symmetric_end;
    return here >= begin && here <= end && bytes <= end - here;
}

// Jobs have the DDRs of the I/O nodes among their PEs.
static void *everywhere_in_ddr(uint32_t place, size_t bytes, int *owner) {
    const uint32_t ddr = place >> SKERRY_MPPA_DDR_SHIFT, at = place & (SKERRY_MPPA_DDR_BYTES - 1);
    *owner = -1;
    if (ddr >= skerry_io_nodes) return NULL;
    *owner = ddr == 0 ? 0 : skerry_facts.pe_count - 1;
    return bytes <= SKERRY_MPPA_DDR_BYTES - at ? (void *)(uintptr_t)(SKERRY_MPPA_DDR + place) : NULL;
}

void *skerry_everywhere(const volatile void *address, size_t bytes, int *owner) {
    const uintptr_t at = (uintptr_t)address;
    const bool is_own = at - SKERRY_MPPA_MEMORY < SKERRY_MPPA_PARTITION_BYTES;
    if (skerry_is_ddr(address)) return everywhere_in_ddr(at - SKERRY_MPPA_DDR, bytes, owner);
    *owner = is_own ? skerry_facts.my_pe : skerry_owner(address);
    if (!is_own && at - SKERRY_MPPA_GLOBAL >= (uintptr_t)skerry_facts.pe_count << SKERRY_MPPA_PARTITION_SHIFT) {
        *owner = -1;
        return NULL;
    }
    return bytes <= SKERRY_MPPA_PARTITION_BYTES - skerry_offset_of_any(address) ? skerry_global(address, *owner) : NULL;
}

void skerry_copy(void *dest, const void *source, size_t bytes) {
    skerry_compiler_fence();
    skerry_copy_by_words(dest, source, bytes);
    skerry_compiler_fence();
}
