// SPDX-License-Identifier: BSD-3-Clause
// Defines the two functions of ../chip/begin.c that differ between kinds of cores.
#ifndef SKERRY_MACHINE_RISCV_BEGIN_H
#define SKERRY_MACHINE_RISCV_BEGIN_H

#include "internal.h"

// Returns the number of this core, which is the upper 12 bits of its global addresses.
SKERRY_ALWAYS_INLINE uint32_t skerry_own_core(void) {
    return *(const volatile uint32_t *)SKERRY_RISCV_PLACE >> SKERRY_PARTITION_SHIFT;
}

extern char __skerry_pes_max[]; // its address is the number of cores of the chip, and of elements of skerry_partitions

// Base of global addresses that name no core and no memory: those of row 63, column 63.
#define SKERRY_RISCV_NOWHERE 0xfff00000u

// If the job has fewer PEs than the chip has cores, skerry_partitions has more elements than the job has PEs. Stores an
// address without memory in the elements behind the last PE. So an access to a PE that does not exist ends the run with
// a report. A put or get need not test the number of its PE. A number that is not below the number of cores is not
// detected.
SKERRY_ALWAYS_INLINE void skerry_set_up_core(void) {
    for (int pe = skerry_facts.pe_count; pe < (int)(uintptr_t)__skerry_pes_max; pe++)
        skerry_partitions[pe] = SKERRY_RISCV_NOWHERE;
}

#endif
