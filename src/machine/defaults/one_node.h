// SPDX-License-Identifier: BSD-3-Clause
// Implements the contract's functions about near PEs for a machine on which every PE is near. A machine includes this
// file after it has defined skerry_global and skerry_copy.
#ifndef SKERRY_MACHINE_DEFAULTS_ONE_NODE_H
#define SKERRY_MACHINE_DEFAULTS_ONE_NODE_H

#define SKERRY_FAR_PES 0

SKERRY_ALWAYS_INLINE bool skerry_is_near(int pe) {
    (void)pe;
    return true;
}

SKERRY_ALWAYS_INLINE void skerry_copy_to(void *dest, const void *source, size_t bytes, int pe) {
    skerry_copy(skerry_global(dest, pe), source, bytes);
}

SKERRY_ALWAYS_INLINE void skerry_copy_from(void *dest, const void *source, size_t bytes, int pe) {
    skerry_copy(dest, skerry_global(source, pe), bytes);
}

#endif
