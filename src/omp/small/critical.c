// SPDX-License-Identifier: BSD-3-Clause
// Critical sections and atomic updates. A section is a lock that a thread takes by test-and-set in the lock's core. All
// these locks are static variables, so they are in the first core, with the program's static variables. Stores to one core
// arrive in order, so the store that releases the lock arrives after the section's stores to static variables.
//
// For each function that releases a lock there are two: `_external` first completes the stores to external memory. The linker
// script gives the name that the compiler calls to one of them.
#include "small.h"

static volatile uint32_t unnamed SKERRY_SHARED_WORD;
static volatile uint32_t atomic_updates SKERRY_SHARED_WORD;

void GOMP_critical_start(void);
void GOMP_critical_start(void) {
    omp_acquire(&unnamed);
}

#define RELEASES(NAME, PARAMETERS, LOCK)                                                                               \
    void skerry_omp_##NAME##_here PARAMETERS;                                                                          \
    void skerry_omp_##NAME##_here PARAMETERS {                                                                         \
        omp_release(LOCK);                                                                                             \
    }                                                                                                                  \
    void skerry_omp_##NAME##_external PARAMETERS;                                                                      \
    void skerry_omp_##NAME##_external PARAMETERS {                                                                     \
        skerry_complete_external();                                                                                    \
        omp_release(LOCK);                                                                                             \
    }
RELEASES(critical_end, (void), &unnamed)

// The compiler defines a word for each name. It is 0 at the beginning, and serves as the lock.
void GOMP_critical_name_start(void **name);
void GOMP_critical_name_start(void **name) {
    omp_acquire((volatile uint32_t *)name);
}
RELEASES(critical_name_end, (void **name), (volatile uint32_t *)name)

// The compiler calls these two functions around an atomic update, and around the end of a reduction. They do not get the
// address of the variable, so one lock serves all variables.
void GOMP_atomic_start(void);
void GOMP_atomic_start(void) {
    omp_acquire(&atomic_updates);
}
RELEASES(atomic_end, (void), &atomic_updates)
