// SPDX-License-Identifier: BSD-3-Clause
// Finds the processors that this process is allowed to use, and binds threads to OpenMP places, which are sets of
// processors.
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

#define PROCESSORS_MAX 65536 // largest number of processors in a set of the kernel

static int *numbers;
static cpu_set_t *places; // array of sets, each of set_bytes bytes
static size_t set_bytes;
static int places_count, places_room;

// -- Processors --------------------------------------------------------------------------------------------------------

// Returns the set of processors that this thread is allowed to use, or NULL if the set cannot be read. The kernel
// refuses a buffer that is smaller than its own sets. So this function tries a buffer for 1024 processors, then 2048,
// and so on.
static cpu_set_t *allowed_set(void) {
    for (size_t processors = 1024; processors <= PROCESSORS_MAX; processors *= 2) {
        cpu_set_t *set = CPU_ALLOC(processors);
        set_bytes = CPU_ALLOC_SIZE(processors);
        if (set && sched_getaffinity(0, set_bytes, set) == 0) return set;
        CPU_FREE(set);
    }
    return NULL;
}

void skerry_find_processors(void) {
    static int only;
    cpu_set_t *set = allowed_set();
    int count = set ? CPU_COUNT_S(set_bytes, set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1) count = 1;
    numbers = malloc((size_t)count * sizeof *numbers);
    if (!numbers) count = 1;
    if (!numbers) numbers = &only;
    for (int i = 0, bit = 0; i < count; bit++)
        if (!set || CPU_ISSET_S((size_t)bit, set_bytes, set)) numbers[i++] = bit;
    CPU_FREE(set);
    skerry_worker_facts.processors = count;
}

const int *skerry_processor_numbers(void) {
    return numbers;
}

// -- Places ------------------------------------------------------------------------------------------------------------

static cpu_set_t *set_of(int place) {
    return (cpu_set_t *)(void *)((char *)places + (size_t)place * set_bytes);
}

void skerry_place_make(const int *processors, int count) {
    if (places_count == places_room) {
        int room = places_room ? 2 * places_room : 16;
        cpu_set_t *more = realloc(places, (size_t)room * set_bytes);
        if (!more) return; // a thread that enters this place stays on the processors that it has
        places = more;
        places_room = room;
    }
    cpu_set_t *set = set_of(places_count++);
    CPU_ZERO_S(set_bytes, set);
    for (int i = 0; i < count; i++) CPU_SET_S((size_t)processors[i], set_bytes, set);
}

void skerry_place_enter(int place) {
    if (place >= 0 && place < places_count) sched_setaffinity(0, set_bytes, set_of(place));
}
