// SPDX-License-Identifier: BSD-3-Clause
// Converts an address of this core into a global address, by which all cores access the same bytes. The bytes can be
// in the memory of any core or in external memory.
#include "chip.h"

void *skerry_everywhere(const volatile void *address, size_t bytes, int *owner) {
    *owner = -1;
    uintptr_t at = (uintptr_t)address & SKERRY_PARTITION_MASK, partition = (uintptr_t)address - at;
    if (skerry_is_outside(address)) {
        uintptr_t left = (uintptr_t)skerry_external + (uintptr_t)skerry_external_bytes - (uintptr_t)address;
        return bytes <= left ? (void *)(uintptr_t)address : 0;
    }
    *owner = skerry_owner(address);
    uintptr_t end = (uintptr_t)skerry_local_end;
    if ((partition && skerry_partitions[*owner] != partition) || at > end || bytes > end - at) return 0;
    return skerry_global(address, *owner);
}
