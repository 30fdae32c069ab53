// SPDX-License-Identifier: BSD-3-Clause
// Defines the machine's name, and the places of OpenMP (OMP_PLACES). A place is a set of cores on which a thread is
// allowed to run.
#include "internal.h"

const char *skerry_host_name(void) {
    return "smp";
}

// -- Processors --------------------------------------------------------------------------------------------------------

const int *skerry_processor_numbers(void) {
    static int numbers[SKERRY_CORES_MAX];
    for (int i = 0; i < SKERRY_CORES_MAX; i++) numbers[i] = i;
    return numbers;
}

bool skerry_processor_groups(enum skerry_group kind, int *groups) {
    (void)kind;
    (void)groups;
    return false;
}

static uint32_t places[SKERRY_CORES_MAX]; // sets of cores
static int place_count;

void skerry_place_make(const int *processors, int count) {
    if (place_count == SKERRY_CORES_MAX)
        skerry_stop("skerry: OMP_PLACES: must not have more places than the machine has cores");
    for (int i = 0; i < count; i++) places[place_count] |= UINT32_C(1) << processors[i];
    place_count++;
}

void skerry_place_enter(int place) {
    const uint32_t own = UINT32_C(1) << (skerry_self->core - skerry_cores);
    if (!(places[place] & own)) skerry_worker_move(skerry_core_choose(places[place]));
}
