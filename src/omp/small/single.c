// SPDX-License-Identifier: BSD-3-Clause
// The single and sections constructs. The runtime may choose the thread of a single and of each section. It chooses them
// by their numbers, so that the threads need not communicate: thread 0 runs the single, and sections go round the threads.
#include "small.h"

bool GOMP_single_start(void);
bool GOMP_single_start(void) {
    return skerry_omp_self.thread == 0;
}

// copyprivate: thread 0 stores the address of its data. When the threads have met, the others get this address and load
// the data. The compiler lets the threads meet a second time at the end.
static void *volatile copied SKERRY_SHARED_WORD;

void *GOMP_single_copy_start(void);
void *GOMP_single_copy_start(void) {
    if (skerry_omp_self.thread == 0) return NULL;
    skerry_omp_meet();
    return copied;
}

void GOMP_single_copy_end(void *data);
void GOMP_single_copy_end(void *data) {
    copied = data;
    if (skerry_omp_self.threads > 1) skerry_omp_meet();
}

// -- Sections, which are numbered from 1 -------------------------------------------------------------------------------

unsigned GOMP_sections_next(void);

static unsigned begin(struct omp_self *self, unsigned sections) {
    self->has_begun = true;
    self->sections = sections;
    self->next_section = self->thread + 1;
    return GOMP_sections_next();
}

unsigned GOMP_sections_next(void) {
    struct omp_self *self = &skerry_omp_self;
    if (!self->has_begun) return begin(self, skerry_omp_combined()->sections);
    const unsigned section = self->next_section;
    if (section > self->sections) return 0;
    self->next_section = section + self->threads;
    return section;
}

unsigned GOMP_sections_start(unsigned sections);
unsigned GOMP_sections_start(unsigned sections) {
    return begin(&skerry_omp_self, sections);
}

void GOMP_sections_end(void);
void GOMP_sections_end(void) {
    GOMP_barrier();
}

void GOMP_sections_end_nowait(void);
void GOMP_sections_end_nowait(void) {
}

void GOMP_parallel_sections(omp_function *function, void *data, unsigned threads, unsigned sections, unsigned flags);
void GOMP_parallel_sections(omp_function *function, void *data, unsigned threads, unsigned sections, unsigned flags) {
    skerry_omp_combined_below()->sections = sections;
    GOMP_parallel(function, data, threads, flags);
}
