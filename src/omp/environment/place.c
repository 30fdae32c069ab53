// SPDX-License-Identifier: BSD-3-Clause
// Chooses the place (a set of processors) of each thread of a team (OpenMP 5.0, section 2.6.2). Also defines the
// routines that inquire about places. The master, the thread that forks the region, computes the places of all members
// of the team. Each thread moves to its place before it begins its part of the region (enter, in parallel.c). The
// struct omp_member of a thread stores the thread's place partition: the places for the regions that this thread forks.
#include "place.h"

#include "../routines/routines.h"
#include "display.h"

struct omp_places skerry_omp_places;

// -- All places --------------------------------------------------------------------------------------------------------

#if SKERRY_PLACES
// Makes a place for each processor, in the order of the processors' numbers. Called if neither OMP_PLACES nor
// GOMP_CPU_AFFINITY gives a list of places.
static void make_usual(struct omp_places *places) {
    uint32_t count = (uint32_t)skerry_processors();
    places->ends = skerry_memory_take(count * sizeof *places->ends, _Alignof(uint32_t));
    places->processors = skerry_memory_take(count * sizeof *places->processors, _Alignof(int));
    if (!places->ends || !places->processors) return;
    places->count = count;
    for (uint32_t i = 0; i < count; i++) {
        places->ends[i] = i + 1;
        places->processors[i] = skerry_processor_numbers()[i];
    }
}

void skerry_omp_read_places(void) {
    struct omp_places *places = &skerry_omp_places;
    struct omp_places read = {0};
    struct omp_icv *icv = &skerry_omp_initial_icv;
    bool is_asked = skerry_omp_device.bind_levels > 0, is_given = skerry_omp_parse_places(&read);
    if (is_asked && icv->bind == OMP_BIND_FALSE) return;
    if (!is_asked && !is_given) return;
    if (!is_asked) icv->bind = OMP_BIND_TRUE;
    if (!is_given) make_usual(&read);
    *places = read;
    skerry_omp_device.places_threads = true;
    for (uint32_t i = 0; i < places->count; i++) {
        uint32_t processors;
        const int *first = skerry_omp_place_processors((int)i, &processors);
        skerry_place_make(first, (int)processors);
    }
}
#else
void skerry_omp_read_places(void) {
    const bool is_asked = skerry_omp_device.bind_levels > 0;
    if (is_asked && skerry_omp_initial_icv.bind == OMP_BIND_FALSE) return;
    if (is_asked || skerry_environment("OMP_PLACES") || skerry_environment("GOMP_CPU_AFFINITY"))
        skerry_stop("libgomp: OMP_PLACES, OMP_PROC_BIND and GOMP_CPU_AFFINITY are not supported on this machine, where "
                    "each thread stays on its core: unset them");
}
#endif

const int *skerry_omp_place_processors(int place, uint32_t *count) {
    const struct omp_places *places = &skerry_omp_places;
    *count = 0;
    if (place < 0 || (uint32_t)place >= places->count) return NULL;
    uint32_t begin = place ? places->ends[place - 1] : 0;
    *count = places->ends[place] - begin;
    return places->processors + begin;
}

// -- The threads of a team ---------------------------------------------------------------------------------------------

void skerry_omp_place_initial(struct omp_thread *self) {
    struct omp_member *member = self->state.member;
    member->places = skerry_omp_places.count;
    member->place = 0;
    skerry_omp_settle(self);
}

void skerry_omp_settle(struct omp_thread *self) {
    struct omp_member *member = self->state.member;
    bool is_shown = member->place >= OMP_PLACE_SHOWN - 1;
    if (is_shown) member->place -= OMP_PLACE_SHOWN;
#if SKERRY_PLACES
    if (self->place != member->place) skerry_place_enter(member->place);
#endif
    self->place = member->place;
    if (is_shown) skerry_omp_display_affinity(self, NULL, 0);
}

// Describes a division of items into parts whose sizes differ by at most 1. The first `larger` parts have least + 1
// items each, and the parts after them have `least` items each.
struct parts {
    uint32_t larger, least;
};

static struct parts divide(uint32_t whole, uint32_t parts) {
    return (struct parts){whole % parts, whole / parts};
}

// begin_of returns the first item of a part. part_of returns the number of the part that contains an item.
static uint32_t begin_of(struct parts parts, uint32_t part) {
    return part * parts.least + (part < parts.larger ? part : parts.larger);
}

static uint32_t part_of(struct parts parts, uint32_t item) {
    uint32_t in_larger = parts.larger * (parts.least + 1);
    return item < in_larger ? item / (parts.least + 1) : parts.larger + (item - in_larger) / parts.least;
}

// Computes the places for proc_bind(close): consecutive threads get consecutive places, beginning at the place of the
// master (thread 0). If there are more threads than places, several consecutive threads share each place.
static void place_close(struct omp_team *team, const struct omp_placing *now) {
    uint32_t own = (uint32_t)now->place - now->first;
    struct parts parts = divide(team->threads, now->count);
    for (uint32_t i = 0; i < team->threads; i++) {
        uint32_t steps = team->threads <= now->count ? i : part_of(parts, i);
        omp_member(team, i)->place = (int32_t)(now->first + (own + steps) % now->count);
    }
}

// Computes the places for proc_bind(spread). Divides the place partition of the master (thread 0) into one part for
// each thread. Each thread gets its part as its own place partition. If there are more threads than places, several
// threads share a place. This place is then the place partition of each of them.
static void place_spread(struct omp_team *team, const struct omp_placing *now) {
    if (team->threads > now->count) {
        place_close(team, now);
        for (uint32_t i = 0; i < team->threads; i++) {
            omp_member(team, i)->first_place = (uint32_t)omp_member(team, i)->place;
            omp_member(team, i)->places = 1;
        }
        return;
    }
    struct parts parts = divide(now->count, team->threads);
    uint32_t own = part_of(parts, (uint32_t)now->place - now->first);
    for (uint32_t i = 0; i < team->threads; i++) {
        struct omp_member *member = omp_member(team, i);
        uint32_t part = (own + i) % team->threads;
        member->first_place = now->first + begin_of(parts, part);
        member->places = begin_of(parts, part + 1) - begin_of(parts, part);
        member->place = i ? (int32_t)member->first_place : now->place;
    }
}

// Makes `bind`, the policy of a region's proc_bind clause, also the policy for regions that are nested in this region.
// Does nothing if OMP_PROC_BIND lists a policy for the nesting level of those regions.
static void keep_for_inner(struct omp_team *team, uint32_t bind) {
    if (team->level < skerry_omp_device.bind_levels || team->icv->bind == bind) return;
    if (team->icv != &team->icv_copy) team->icv_copy = *team->icv;
    team->icv_copy.bind = (uint8_t)bind;
    team->icv = &team->icv_copy;
}

// Computes the places and the place partitions of a team's members. The master (thread 0) calls this function before
// the other threads begin the region. Bits 0 to 2 of `flags` are the region's proc_bind clause; 0: the region has no
// such clause.
void skerry_omp_place_team(struct omp_thread *self, struct omp_team *team, uint32_t flags) {
    const struct omp_member *outer = self->state.member;
    uint32_t bind = self->state.task->icv->bind;
    if (bind != OMP_BIND_FALSE && (flags & 7)) {
        bind = flags & 7;
        keep_for_inner(team, bind);
    }
    // The team keeps the places of its last region. The master (thread 0) computes them again only if one of these
    // values has changed.
    struct omp_placing now = {bind + 1, self->place, outer->first_place, outer->places};
    struct omp_placing *last = &team->placed;
    if (last->bind == now.bind && last->place == now.place && last->first == now.first && last->count == now.count)
        return;
    *last = now;
    for (uint32_t i = 0; i < team->threads; i++) {
        omp_member(team, i)->place = self->place;
        omp_member(team, i)->first_place = now.first;
        omp_member(team, i)->places = now.count;
    }
    if (now.count == 0) bind = OMP_BIND_FALSE;
    if (bind == OMP_BIND_CLOSE || bind == OMP_BIND_TRUE) place_close(team, &now);
    if (bind == OMP_BIND_SPREAD) place_spread(team, &now);
    if (!skerry_omp_device.display_affinity) return;
    for (uint32_t i = 0; i < team->threads; i++) omp_member(team, i)->place += OMP_PLACE_SHOWN;
}

// -- Routines ----------------------------------------------------------------------------------------------------------

OMP_EXPORT int omp_get_num_places(void) {
    return (int)skerry_omp_places.count;
}

OMP_EXPORT int omp_get_place_num_procs(int place) {
    uint32_t count;
    skerry_omp_place_processors(place, &count);
    return (int)count;
}

OMP_EXPORT void omp_get_place_proc_ids(int place, int *ids) {
    uint32_t count;
    const int *processors = skerry_omp_place_processors(place, &count);
    for (uint32_t i = 0; i < count; i++) ids[i] = processors[i];
}

OMP_EXPORT int omp_get_place_num(void) {
    return omp_self()->place;
}

OMP_EXPORT int omp_get_partition_num_places(void) {
    return (int)omp_self()->state.member->places;
}

OMP_EXPORT void omp_get_partition_place_nums(int *numbers) {
    const struct omp_member *member = omp_self()->state.member;
    for (uint32_t i = 0; i < member->places; i++) numbers[i] = (int)(member->first_place + i);
}
