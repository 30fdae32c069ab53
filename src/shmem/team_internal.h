// SPDX-License-Identifier: BSD-3-Clause
// Declares the team: a group of PEs with a number, a configuration, and an area of its own. The area is the words in
// each member's memory by which the members synchronise. Also declares functions on active sets and on handles of teams
// and contexts.
#ifndef SKERRY_SHMEM_TEAM_INTERNAL_H
#define SKERRY_SHMEM_TEAM_INTERNAL_H

#include "../primitive/barrier.h"
#include "../primitive/levels.h"
#include "internal.h"

struct skerry_team {
    struct skerry_group group;
#if SKERRY_FAR_PES
    struct skerry_levels levels; // used if the team has members on several nodes
#endif
    int32_t number; // selects the team's area; equal in all members
    int32_t contexts_wanted;
    bool live;
};

// A second team of all PEs, for collectives on active sets that contain every PE. The second team has its own area
// (words for synchronisation), separate from the area of the world team. Why two areas are needed:
// - All PEs must execute the collectives that use one area in the same order.
// - In a program with several threads, the order of a collective on the world team and one on such an active set can
//   differ between PEs.
// On a machine with channels (src/primitive/channel.h) a PE has one thread, so the order is the same on all PEs. There
// this team is the world team itself.
extern SKERRY_PRIVATE struct skerry_team skerry_team_active_world;

// These functions set up and end the predefined teams, with their members and areas (the words by which the members
// synchronise). Each function is called once for each initialisation of the library.
SKERRY_PRIVATE SKERRY_COLD void skerry_teams_begin(void);
SKERRY_PRIVATE SKERRY_COLD void skerry_teams_end(void);
// These functions set up and end the table of the teams that a program creates by splitting.
SKERRY_PRIVATE void skerry_split_teams_begin(void);
SKERRY_PRIVATE void skerry_split_teams_end(void);
SKERRY_PRIVATE struct skerry_area *skerry_area_of(int number);

// Fills in a team whose fields are all zero at the call, and sets `live`. On a machine with channels
// (src/primitive/channel.h) the barrier of the team uses the words `rounds`. On other machines the team uses the area
// that its number selects.
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
#if SKERRY_FAR_PES
    skerry_levels_form(&team->group, &team->levels);
#endif
}

// Returns the group of an active set, for one collective. The function ends the job with an error message if the set is
// not valid or does not contain this PE. On machines without channels (src/primitive/channel.h) the result can be
// `storage`, which must stay valid during the collective. On machines with channels `storage` is not used.
SKERRY_PRIVATE struct skerry_group *skerry_active_set(const char *routine, struct skerry_group *storage, int start,
                                                      int log_stride, int size, long *work_array);

// Ends the job with an error message that says why this PE cannot use the active set.
SKERRY_PRIVATE SKERRY_NORETURN void skerry_refuse_set(const char *routine, int start, int log_stride, int size);

// Returns the group of a team handle. Ends the job with an error message if the handle is invalid.
SKERRY_PRIVATE struct skerry_group *skerry_group_of(const char *routine, shmem_team_t team);

// These functions return true if a handle is an entry of the library's own table or a predefined handle. The handle can
// be any address.
SKERRY_PRIVATE bool skerry_is_team(const struct skerry_team *team);
SKERRY_PRIVATE bool skerry_is_context(const struct skerry_context *context);

// The options that a new context is allowed to have.
#define SKERRY_CONTEXT_OPTIONS (SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE)

// Destroys the contexts of `team`. Called when the team is destroyed.
SKERRY_PRIVATE void skerry_contexts_of_team_end(const struct skerry_team *team);

#endif
