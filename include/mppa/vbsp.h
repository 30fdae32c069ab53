// SPDX-License-Identifier: BSD-3-Clause
// Defines MPPA's barrier of all cores of a cluster as a barrier of POSIX threads.
#ifndef SKERRY_MPPA_VBSP_H
#define SKERRY_MPPA_VBSP_H

#include <pthread.h>

#include <mppa_async.h>

//@ bsp_barrier: bsp_barrier bsp_barrier_init
// Waits until all 16 cores of a cluster have called the routine. In Skerry a core is a thread that the program has
// started.
//   BARRIER  pointer to a bsp_barrier_t
//   KIND     BSP_BARRIER_USER
// Returns: bsp_barrier_init returns the result of pthread_barrier_init(3); bsp_barrier returns nothing.
// Source: Kalray's public interface.

#define BSP_CORES 16
#define BSP_BARRIER_USER 0

typedef pthread_barrier_t bsp_barrier_t;
#define bsp_barrier_init(BARRIER, KIND) pthread_barrier_init(BARRIER, 0, BSP_CORES + (KIND))
#define bsp_barrier(BARRIER) ((void)pthread_barrier_wait(BARRIER))

#endif
