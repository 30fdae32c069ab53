// SPDX-License-Identifier: BSD-3-Clause
// Declares the functions by which the runtime displays its control variables (ICVs), and the places (sets of
// processors) of its threads.
#ifndef SKERRY_OMP_DISPLAY_H
#define SKERRY_OMP_DISPLAY_H

#include "../internal.h"
#include "text.h"

#define OMP_ALLOCATORS 8 // number of predefined allocators; their handles are 1, 2, ... in the order of these names
extern const char *const skerry_omp_allocator_names[OMP_ALLOCATORS];

void skerry_omp_display_environment(bool verbose);
void skerry_omp_show(const char *name, const char *value); // writes one line of this output

// Defined in affinity.c:
#define OMP_AFFINITY_BYTES 512 // size in bytes of the longest format, including the 0 at its end
extern char skerry_omp_affinity_format[OMP_AFFINITY_BYTES];
void skerry_omp_read_affinity_format(void);
void skerry_omp_set_affinity_format(const char *format, size_t bytes);
void skerry_omp_write_affinity(struct omp_thread *self, struct omp_text *text, const char *format, size_t bytes);
void skerry_omp_display_affinity(struct omp_thread *self, const char *format, size_t bytes);

#endif
