// SPDX-License-Identifier: BSD-3-Clause
// Defines what ../chip/begin.c needs to know of this machine's cores.
#ifndef SKERRY_MACHINE_RISCV_BEGIN_H
#define SKERRY_MACHINE_RISCV_BEGIN_H

#include "internal.h"

// Returns the number of this core, which is the upper 12 bits of its global addresses.
SKERRY_ALWAYS_INLINE uint32_t skerry_own_core(void) {
    return *(const volatile uint32_t *)SKERRY_RISCV_PLACE >> SKERRY_PARTITION_SHIFT;
}

// Sets the machine's own variables, when the rank is known: there are none.
SKERRY_ALWAYS_INLINE void skerry_set_up_core(void) {
}

#endif
