// SPDX-License-Identifier: BSD-3-Clause
// Room for the tables of models that have some: the linker script gives it to programs in which this file is.
#include "internal.h"

extern char skerry_table_begin[], skerry_table_end[];

void *skerry_table_memory(size_t *bytes) {
    *bytes = (size_t)(skerry_table_end - skerry_table_begin);
    return skerry_table_begin;
}
