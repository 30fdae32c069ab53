// SPDX-License-Identifier: BSD-3-Clause
// A team: a group of PEs with an area of its own, its number, and its configuration. Shared by the chapters.
#ifndef SKERRY_SHMEM_TEAM_INTERNAL_H
#define SKERRY_SHMEM_TEAM_INTERNAL_H

#include "../primitive/barrier.h"
#include "internal.h"

struct skerry_team {
    struct skerry_group group;
    int32_t number; // which area; the same in every member
    int32_t contexts_wanted;
    bool live;
};

// The world once more, for collectives on active sets that name every PE: programs may mix them with collectives on the
// world team in ways that the team's own order does not foresee.
extern SKERRY_PRIVATE struct skerry_team skerry_team_active_world;

// Gives the predefined teams their members and areas; once per initialisation.
SKERRY_PRIVATE SKERRY_COLD void skerry_teams_begin(void);
SKERRY_PRIVATE SKERRY_COLD void skerry_teams_end(void);
// The same for the table of teams that are split off.
SKERRY_PRIVATE void skerry_split_teams_begin(void);
SKERRY_PRIVATE void skerry_split_teams_end(void);
SKERRY_PRIVATE struct skerry_area *skerry_area_of(int number);

// Fills in a live team, which was all zero; over channels it gets `rounds` for its barrier, else the area that belongs to its number.
static inline void skerry_team_form(struct skerry_team *team, int number, int start, int stride, int size, int rank,
                                    skerry_word *rounds) {
    team->group.start = start;
    team->group.stride = stride;
    team->group.size = size;
    team->group.rank = rank;
    team->number = number;
    team->live = true;
    if (SKERRY_CHANNELS) skerry_barrier_prepare(&team->group, rounds);
    else team->group.area = skerry_area_of(number);
}

// Group of an active set, for one collective; the rule about who may call is checked in passing. `storage` may be filled
// when the set is not the whole world.
SKERRY_PRIVATE struct skerry_group *skerry_active_set(const char *routine, struct skerry_group *storage, int start,
                                                      int log_stride, int size, long *work_array);

// Ends the job with a line that says why this PE cannot use an active set.
SKERRY_PRIVATE SKERRY_NORETURN void skerry_refuse_set(const char *routine, int start, int log_stride, int size);

// The group of a team handle; ends the job with a line when the handle is invalid.
SKERRY_PRIVATE struct skerry_group *skerry_group_of(const char *routine, shmem_team_t team);

// Whether a handle, which may be any address, is an entry of the library's own table.
SKERRY_PRIVATE bool skerry_is_team(const struct skerry_team *team);
SKERRY_PRIVATE bool skerry_is_context(const struct skerry_context *context);

// What a context may be asked to be.
#define SKERRY_CONTEXT_OPTIONS (SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE)

// Contexts that belong to `team` die with it.
SKERRY_PRIVATE void skerry_contexts_of_team_end(const struct skerry_team *team);

#endif
