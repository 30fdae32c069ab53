// SPDX-License-Identifier: BSD-3-Clause
// Places (OpenMP 5.0, sections 2.6.2 and 6.5): sets of processors, numbered in the order of OMP_PLACES, to which threads are bound.
#ifndef SKERRY_OMP_PLACE_H
#define SKERRY_OMP_PLACE_H

#include "internal.h"

struct omp_places {
    uint32_t count; // 0: nothing is bound
    uint32_t room;
    uint32_t *ends;  // of each place, in `processors`; it begins where the one before ends
    int *processors; // of all places, in ascending order in each
    uint32_t processors_room;
};
extern struct omp_places skerry_omp_places;

// place_parse.c: OMP_PLACES or else GOMP_CPU_AFFINITY; false: neither gives places.
bool skerry_omp_parse_places(struct omp_places *places);

// place.c
void skerry_omp_read_places(void); // those, and what follows of OMP_PROC_BIND
const int *skerry_omp_place_processors(int place, uint32_t *count);
void skerry_omp_place_initial(struct omp_thread *self); // a thread outside of every region: at the first place
void skerry_omp_place_team(struct omp_thread *self, struct omp_team *team, uint32_t flags);
void skerry_omp_settle(struct omp_thread *self); // what the team's master has said of this thread's place

// Added to a member's place: the thread is to show where it is.
#define OMP_PLACE_SHOWN 0x40000000

#endif
