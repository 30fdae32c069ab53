/* SPDX-License-Identifier: BSD-3-Clause
   Declares OpenSHMEM 1.6: types, constants and every routine. A put, a get or an atomic on another PE compiles to
   address arithmetic and the copy or the atomic instruction. The headers under skerry/shmem/ and the man pages describe
   each routine. */
#ifndef SHMEM_H
#define SHMEM_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(SKERRY_BUILD) && defined(__GNUC__)
#pragma GCC system_header
#endif

#include <skerry/shmem/extensions_begin.h>

#ifndef SKERRY_COLD
#define SKERRY_COLD
#endif
#ifndef SKERRY_NORETURN
#define SKERRY_NORETURN __attribute__((noreturn))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// -- Version -----------------------------------------------------------------------------------------------------------

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
#define SHMEM_VENDOR_STRING "Skerry 0.3.0"
#define SHMEM_MAX_NAME_LEN 64

// -- Handles -----------------------------------------------------------------------------------------------------------

// Handles of a communication context and of a team. The predefined handles are constant expressions, so a static
// initialiser is allowed to use them.
typedef struct skerry_context *shmem_ctx_t;
typedef struct skerry_team *shmem_team_t;
extern struct skerry_context skerry_context_default;
extern struct skerry_team skerry_team_world;
extern struct skerry_team skerry_team_shared;
#define SHMEM_CTX_DEFAULT (&skerry_context_default)
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_TEAM_WORLD (&skerry_team_world)
#define SHMEM_TEAM_SHARED (&skerry_team_shared)
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)

typedef struct {
    int num_contexts; // largest number of contexts of the team at a time; only a hint
} shmem_team_config_t;

typedef struct {
    size_t total_ops; // number of operations that the program expects in the session; only a hint
} shmem_ctx_session_config_t;

// -- Constants ---------------------------------------------------------------------------------------------------------

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

#define SHMEM_TEAM_NUM_CONTEXTS 1L

#define SHMEM_CTX_SERIALIZED 1L
#define SHMEM_CTX_PRIVATE 2L
#define SHMEM_CTX_NOSTORE 4L

#define SHMEM_CTX_SESSION_BATCH 1L
#define SHMEM_CTX_SESSION_TOTAL_OPS 1L

#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1

#define SHMEM_MALLOC_ATOMICS_REMOTE 1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 2L

#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_LE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_GE 5

// Sizes, in elements, of the work arrays (pSync) of collectives on active sets. SHMEM_SYNC_VALUE is the value that each
// element must have. These names are deprecated, because these collectives are deprecated.
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE SKERRY_SYNC_ELEMENTS
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

// Deprecated spellings of the constants above.
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE

// -- Routines ----------------------------------------------------------------------------------------------------------

#include <skerry/shmem/types.h>
#ifndef SKERRY_NO_INLINE
#include <skerry/shmem/inline.h>
#endif
#include <skerry/shmem/api.h>
#include <skerry/shmem/lists.h>
#include <skerry/shmem/legacy.h>

#ifdef __cplusplus
}
#endif

#ifndef SKERRY_SYNC_ELEMENTS // no configuration of a machine was included
#define SKERRY_SYNC_ELEMENTS 32
#endif

// -- Type-generic names ------------------------------------------------------------------------------------------------

#if defined(__cplusplus) && __cplusplus >= 201103L // C++98 has the routines with a type in their names
#include <skerry/shmem/overload.h>
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include <skerry/shmem/generic.h>
#endif

#include <skerry/shmem/extensions_end.h>

#endif
