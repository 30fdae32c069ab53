// SPDX-License-Identifier: BSD-3-Clause
// Declares the light tasks of MPPA processors. On an MPPA each core runs one light task. In Skerry a light task is a
// POSIX thread, because some programs use both together and expect the same kind of thread.
#ifndef SKERRY_MPPA_UTASK_H
#define SKERRY_MPPA_UTASK_H

#include <pthread.h>
#include <stdlib.h>

#include <mppa_async.h>

typedef pthread_t utask_t;
typedef pthread_attr_t utask_attr_t;

//@ utask_create: utask_create utask_join utask_exit utask_self
// Creates, joins or ends light tasks. On an MPPA each core runs one light task. In Skerry a light task is a POSIX
// thread. Type utask_t is pthread_t, and utask_attr_t is pthread_attr_t.
//   TASK, ATTRIBUTES, RESULT, ARGUMENT  as for pthread_create(3) and pthread_join(3)
//   FUNCTION  as for pthread_create(3), but any pointer to a function
// Returns: as pthread_create(3), pthread_join(3) and pthread_self(3).
// Source: Kalray's public interface.

//@ utask_smem_malloc: utask_smem_malloc utask_smem_calloc utask_smem_posix_memalign utask_smem_free
// Allocates or frees memory of a cluster, or memory of an I/O program that is not in the DDR (the large memory). In
// Skerry this memory is in the heap of the C library.
//   SIZE, COUNT, POINTER, ALIGNMENT  as for malloc(3), calloc(3) and posix_memalign(3)
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
