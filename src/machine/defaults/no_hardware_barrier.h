// SPDX-License-Identifier: BSD-3-Clause
// Defines the contract's functions about a barrier in hardware for a machine that has none. The machine's header defines
// SKERRY_ALWAYS_INLINE and then includes this file.
#ifndef SKERRY_MACHINE_DEFAULTS_NO_HARDWARE_BARRIER_H
#define SKERRY_MACHINE_DEFAULTS_NO_HARDWARE_BARRIER_H

#include <stdbool.h>

SKERRY_ALWAYS_INLINE bool skerry_has_hardware_barrier(void) {
    return false;
}

SKERRY_ALWAYS_INLINE void skerry_hardware_barrier(void) {
}

#endif
