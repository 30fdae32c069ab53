// SPDX-License-Identifier: BSD-3-Clause
// Defines two functions for ../chip/begin.c that depend on the kind of core.
#ifndef SKERRY_MACHINE_RISCV_BEGIN_H
#define SKERRY_MACHINE_RISCV_BEGIN_H

#include "internal.h"

// Returns the number of this core, which is the upper 12 bits of its global addresses.
SKERRY_ALWAYS_INLINE uint32_t skerry_own_core(void) {
    return *(const volatile uint32_t *)SKERRY_RISCV_PLACE >> SKERRY_PARTITION_SHIFT;
}

// Does nothing: this machine has no variables of its own to set when the rank of the core is known.
SKERRY_ALWAYS_INLINE void skerry_set_up_core(void) {
}

#endif
