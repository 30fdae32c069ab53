// SPDX-License-Identifier: BSD-3-Clause
// Defines where the memory of each PE is, for machines whose PEs are cores of a chip. Every core can access the memory
// of every other core at its global address (layout.h). Such a machine's machine.h defines SKERRY_ALWAYS_INLINE and
// then includes this file.
#ifndef SKERRY_MACHINE_CHIP_PLACE_H
#define SKERRY_MACHINE_CHIP_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#include "layout.h"

// Address of each PE's memory, filled before main (begin.c). The linker script reserves one element for each core of
// the chip. Why a table: an address takes one load. A computation from row and column would take several instructions
// and a load of the number of columns. It would also be wrong for a job that leaves out some cores of a rectangle.
extern uint32_t skerry_partitions[];

// Ends the job with an error message that says that the job has no PE `pe` (fail.c).
SKERRY_NORETURN void skerry_refuse_pe(int pe);

SKERRY_ALWAYS_INLINE void *skerry_global(const volatile void *symmetric, int pe) {
#ifdef SKERRY_CHECK_PE // the program is compiled with oshcc --check, on a machine that has this check
    if ((uint32_t)pe >= (uint32_t)skerry_facts.pe_count) skerry_refuse_pe(pe);
#endif
    return (void *)(((uintptr_t)symmetric & SKERRY_PARTITION_MASK) | skerry_partitions[pe]);
}

// Returns the PE whose memory contains a global address, by a search in skerry_partitions. On chips whose cores are
// numbered without gaps, a division would be faster. But the function is called seldom, so its speed does not matter.
int skerry_owner(const volatile void *global);

SKERRY_ALWAYS_INLINE void *skerry_localize(const volatile void *global) {
    return (void *)((uintptr_t)global & SKERRY_PARTITION_MASK);
}

bool skerry_is_symmetric(const volatile void *address, size_t bytes);

// The linker script defines these two symbols for external memory, which belongs to no core. The address of the first
// symbol is the memory's address. The address of the second symbol is the memory's size in bytes. The assembly names
// are given, because some compilers put an underscore before a name in C.
extern char skerry_external[] __asm__("__skerry_external"), skerry_external_bytes[] __asm__("__skerry_external_bytes");
SKERRY_ALWAYS_INLINE bool skerry_is_outside(const volatile void *address) {
    return (uintptr_t)address - (uintptr_t)skerry_external < (uintptr_t)skerry_external_bytes;
}
void *skerry_everywhere(const volatile void *address, size_t bytes, int *owner);

#endif
