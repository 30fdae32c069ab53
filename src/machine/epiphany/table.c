// SPDX-License-Identifier: BSD-3-Clause
// Table memory, for models that need it. The linker script reserves it only in programs that link this file.
#include "internal.h"

extern char skerry_table_begin[], skerry_table_end[];

void *skerry_table_memory(size_t *bytes) {
    *bytes = (size_t)(skerry_table_end - skerry_table_begin);
    return skerry_table_begin;
}
