/* SPDX-License-Identifier: BSD-3-Clause
   Declares the profiling interface (specification, section 10): every routine under its name with the prefix p. A tool
   defines shmem_x and calls pshmem_x. A program that a tool observes must be compiled without the inline fast paths
   (oshcc --no-inline). Otherwise its puts, gets and atomics are inline instructions, which no tool can replace. */
#ifndef PSHMEM_H
#define PSHMEM_H

#if !defined(SKERRY_BUILD) && defined(__GNUC__)
#pragma GCC system_header
#endif

#ifndef SKERRY_NO_INLINE
#define SKERRY_NO_INLINE
#endif
#include "shmem.h"

#include <skerry/shmem/extensions_begin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SKERRY_READING_PROFILING
#include <skerry/shmem/api.h>
#include <skerry/shmem/lists.h>
#undef SKERRY_READING_PROFILING

#ifdef __cplusplus
}
#endif

#include <skerry/shmem/extensions_end.h>

#endif
