// SPDX-License-Identifier: BSD-3-Clause
// Returns the bounds of the symmetric heap and of the library's own words in a core's memory. The linker script
// defines these bounds, so they are the same in every core.
#include "chip.h"

void *skerry_heap_memory(size_t *bytes) {
    *bytes = (size_t)(skerry_heap_end - skerry_heap_begin);
    return skerry_heap_begin;
}

void *skerry_system_memory(size_t *bytes) {
    *bytes = (size_t)(skerry_heap_begin - skerry_system_begin);
    return skerry_system_begin;
}

bool skerry_is_symmetric(const volatile void *address, size_t bytes) {
    uintptr_t at = (uintptr_t)address & SKERRY_PARTITION_MASK;
    uintptr_t partition = (uintptr_t)address - at;
    bool reached = partition == 0;
    for (int pe = 0; pe < skerry_facts.pe_count && !reached; pe++) reached = skerry_partitions[pe] == partition;
    uintptr_t begin = (uintptr_t)skerry_local_begin;
    uintptr_t end = (uintptr_t)skerry_heap_end;
    return reached && at >= begin && at <= end && bytes <= end - at;
}
