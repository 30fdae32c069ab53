// SPDX-License-Identifier: BSD-3-Clause
// Declares the places (OpenMP 5.0, sections 2.6.2 and 6.5): sets of processors to which threads are bound, numbered in
// the order of OMP_PLACES.
#ifndef SKERRY_OMP_PLACE_H
#define SKERRY_OMP_PLACE_H

#include "../internal.h"

struct omp_places {
    uint32_t count; // 0: threads are not bound
    uint32_t room;
    uint32_t *ends;  // [i]: index in `processors` at which place i ends and place i + 1 begins
    int *processors; // processor numbers of all places, in ascending order within each place
    uint32_t processors_room;
};
extern struct omp_places skerry_omp_places;

// Defined in place_parse.c:
// Reads the list of places from OMP_PLACES. If OMP_PLACES is not set or is invalid, reads GOMP_CPU_AFFINITY. Returns
// false if neither variable gives places.
bool skerry_omp_parse_places(struct omp_places *places);

// Defined in place.c:
void skerry_omp_read_places(void); // reads the places; makes a place for each processor if only OMP_PROC_BIND is set
const int *skerry_omp_place_processors(int place, uint32_t *count);
void skerry_omp_place_initial(struct omp_thread *self); // moves a thread that is outside all regions to the first place
void skerry_omp_place_team(struct omp_thread *self, struct omp_team *team, uint32_t flags);
void skerry_omp_settle(struct omp_thread *self); // moves the calling thread to the place in its struct omp_member

// A flag in the field `place` of struct omp_member. The master (thread 0 of the team) adds the flag to the place's
// number if OMP_DISPLAY_AFFINITY is true. The thread then displays its affinity when it moves to its place.
#define OMP_PLACE_SHOWN 0x40000000

#endif
