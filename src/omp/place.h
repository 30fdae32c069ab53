// SPDX-License-Identifier: BSD-3-Clause
// Places (OpenMP 5.0, sections 2.6.2 and 6.5): sets of processors to which threads are bound, numbered in the order of
// OMP_PLACES.
#ifndef SKERRY_OMP_PLACE_H
#define SKERRY_OMP_PLACE_H

#include "internal.h"

struct omp_places {
    uint32_t count; // 0: threads are not bound
    uint32_t room;
    uint32_t *ends;  // end of each place in `processors`; a place begins at the end of the one before
    int *processors; // processors of all places, those of each place in ascending order
    uint32_t processors_room;
};
extern struct omp_places skerry_omp_places;

// place_parse.c: reads OMP_PLACES, or else GOMP_CPU_AFFINITY. Returns false if neither gives places.
bool skerry_omp_parse_places(struct omp_places *places);

// place.c
void skerry_omp_read_places(void); // reads the places, and chooses them by OMP_PROC_BIND if none are given
const int *skerry_omp_place_processors(int place, uint32_t *count);
void skerry_omp_place_initial(struct omp_thread *self); // puts a thread outside all regions at the first place
void skerry_omp_place_team(struct omp_thread *self, struct omp_team *team, uint32_t flags);
void skerry_omp_settle(struct omp_thread *self); // moves the thread to the place that the master of its team chose

// The master adds this to a member's place if the thread has to display its affinity.
#define OMP_PLACE_SHOWN 0x40000000

#endif
