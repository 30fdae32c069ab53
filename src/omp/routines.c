// SPDX-License-Identifier: BSD-3-Clause
// The routines by which a program asks about its threads and teams (OpenMP 5.0, section 3.2).
#include "group.h"

OMP_EXPORT int omp_get_thread_num(void) {
    return (int)omp_self()->state.thread_number;
}

OMP_EXPORT int omp_get_num_threads(void) {
    return (int)omp_self()->state.team->threads;
}
