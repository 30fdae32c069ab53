// SPDX-License-Identifier: BSD-3-Clause
// MPPA's light tasks, one a core: POSIX threads here, as the programs expect that use both.
#ifndef SKERRY_MPPA_UTASK_H
#define SKERRY_MPPA_UTASK_H

#include <pthread.h>
#include <stdlib.h>

#include <mppa_async.h>

typedef pthread_t utask_t;
typedef pthread_attr_t utask_attr_t;

#define utask_create(TASK, ATTRIBUTES, FUNCTION, ARGUMENT)                                                             \
    pthread_create(TASK, ATTRIBUTES, (void *(*)(void *))(FUNCTION), ARGUMENT)
#define utask_join(TASK, RESULT) pthread_join(TASK, RESULT)
#define utask_exit(RESULT) pthread_exit(RESULT)
#define utask_self() pthread_self()

// Memory of the cluster's, or of an I/O program's that is not the DDR: the same heap here.
#define utask_smem_malloc(SIZE) malloc(SIZE)
#define utask_smem_calloc(COUNT, SIZE) calloc(COUNT, SIZE)
#define utask_smem_posix_memalign(POINTER, ALIGNMENT, SIZE) posix_memalign(POINTER, ALIGNMENT, SIZE)
#define utask_smem_free(POINTER) free(POINTER)

#endif
