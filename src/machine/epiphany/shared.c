// SPDX-License-Identifier: BSD-3-Clause
// Memory that no PE owns: half of the external memory that the image leaves free. The C library uses the other half
// (host_library.c).
#include "internal.h"

void *skerry_shared_memory(size_t *bytes) {
    *bytes = (size_t)(skerry_job.external_end - skerry_job.external_begin) / 2 & ~(size_t)7;
    return skerry_job.external_begin;
}
