// SPDX-License-Identifier: BSD-3-Clause
// Returns the memory that no PE owns. The program's image leaves a part of the external memory free. The memory that no
// PE owns is the first half of this part. The C library's heaps use the second half (_sbrk in process.c).
#include "chip.h"

void *skerry_shared_memory(size_t *bytes) {
    *bytes = (size_t)(skerry_job.external_end - skerry_job.external_begin) / 2 & ~(size_t)7;
    return skerry_job.external_begin;
}
