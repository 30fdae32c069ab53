/* SPDX-License-Identifier: BSD-3-Clause
   Declares routines that the specification does not have; their names have the prefix shmemx_. */
#ifndef SHMEMX_H
#define SHMEMX_H

#include "shmem.h"

#if defined(__cplusplus) && __cplusplus < 201103L
#error "shmemx.h: remote procedure calls need C++11 (-std=c++11 or later)"
#else

#if !defined(SKERRY_BUILD) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include <skerry/shmem/extensions_begin.h>

#ifdef __cplusplus
extern "C" {
#endif

#undef SKERRY_READING_SYMBOLS
#undef SKERRY_READING_PROFILING
#include <skerry/shmem/api.h>
#include <skerry/shmem/shared_memory.h>
#include <skerry/shmem/global.h>
#define SHMEMX_INTERRUPT_NUMBERS 4
#include <skerry/shmem/interrupt.h>
#include <skerry/machine/machine.h>

// Attribute that places a variable in memory that no PE owns: there is one variable for all PEs, at the same address.
// Only compilers for a chip can place a variable there. On other machines a program allocates such memory with
// shmemx_shared_malloc.
#ifdef SKERRY_SHARED_VARIABLE
#define SHMEMX_SHARED SKERRY_SHARED_VARIABLE
#endif

#ifdef SKERRY_CALL_HEADER // the machine has remote procedure calls
#include <skerry/rpc/rpc.h>
#include <skerry/rpc/routines.h>
#endif

#ifdef __cplusplus
}
#endif

#include <skerry/shmem/extensions_end.h>

#endif

#endif
