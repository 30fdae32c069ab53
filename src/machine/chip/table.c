// SPDX-License-Identifier: BSD-3-Clause
// Returns the table memory, in which the library keeps its tables of AOS segments (src/aos). The linker script reserves
// this memory only in programs that contain this file.
#include "chip.h"

extern char skerry_table_begin[], skerry_table_end[];

void *skerry_table_memory(size_t *bytes) {
    *bytes = (size_t)(skerry_table_end - skerry_table_begin);
    return skerry_table_begin;
}
