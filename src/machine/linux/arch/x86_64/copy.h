// SPDX-License-Identifier: BSD-3-Clause
// The copies that x86-64 has to choose from, for the start of a job and for the tests that force each of them.
#ifndef SKERRY_MACHINE_LINUX_ARCH_X86_64_COPY_H
#define SKERRY_MACHINE_LINUX_ARCH_X86_64_COPY_H

#include <stdbool.h>
#include <stddef.h>

// Uses the copy called `name` ("sse2", "string", "avx2", "avx512" or "avx512_wide") from now on, with non-temporal stores for copies
// of `stream_from` bytes and more; false, and nothing changed, when there is none of that name or the processor lacks
// it. For one thread, before others copy. The environment variable SKERRY_COPY names the copy that a whole job uses.
__attribute__((visibility("hidden"))) bool skerry_copy_use(const char *name, size_t stream_from);

// Size from which the copy chosen at the start uses non-temporal stores.
__attribute__((visibility("hidden"))) size_t skerry_copy_stream_from(void);

#endif
