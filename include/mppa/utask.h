// SPDX-License-Identifier: BSD-3-Clause
// MPPA's light tasks, one a core: POSIX threads here, as the programs expect that use both.
#ifndef SKERRY_MPPA_UTASK_H
#define SKERRY_MPPA_UTASK_H

#include <pthread.h>
#include <stdlib.h>

#include <mppa_async.h>

typedef pthread_t utask_t;
typedef pthread_attr_t utask_attr_t;

//@ utask_create: utask_create utask_join utask_exit utask_self
// Light tasks, one a core: POSIX threads here. Type utask_t is pthread_t, utask_attr_t pthread_attr_t.
//   TASK, ATTRIBUTES, RESULT, ARGUMENT  as of pthread_create(3) and pthread_join(3)
//   FUNCTION  as of pthread_create(3); any pointer to a function
// Returns: as pthread_create(3), pthread_join(3) and pthread_self(3).
// Source: Kalray's public interface.

//@ utask_smem_malloc: utask_smem_malloc utask_smem_calloc utask_smem_posix_memalign utask_smem_free
// Memory of the cluster's, or of an I/O program's that is not the DDR: the C library's heap here.
//   SIZE, COUNT, POINTER, ALIGNMENT  as of malloc(3), calloc(3) and posix_memalign(3)
// Returns: as malloc(3), calloc(3) and posix_memalign(3).
// Source: Kalray's public interface.

#define utask_create(TASK, ATTRIBUTES, FUNCTION, ARGUMENT)                                                             \
    pthread_create(TASK, ATTRIBUTES, (void *(*)(void *))(FUNCTION), ARGUMENT)
#define utask_join(TASK, RESULT) pthread_join(TASK, RESULT)
#define utask_exit(RESULT) pthread_exit(RESULT)
#define utask_self() pthread_self()

#define utask_smem_malloc(SIZE) malloc(SIZE)
#define utask_smem_calloc(COUNT, SIZE) calloc(COUNT, SIZE)
#define utask_smem_posix_memalign(POINTER, ALIGNMENT, SIZE) posix_memalign(POINTER, ALIGNMENT, SIZE)
#define utask_smem_free(POINTER) free(POINTER)

#endif
