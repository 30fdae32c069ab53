// SPDX-License-Identifier: BSD-3-Clause
// Sets up the predefined teams when the library is initialised, and ends all teams when it is finalized.
#include "team_internal.h"

// These symbols of team_split.c are weak. So a program that never splits a team need not contain the table of teams.
#pragma weak skerry_split_teams_begin
#pragma weak skerry_split_teams_end

static skerry_word world_rounds[SKERRY_PARTNERS_MAX]; // words of the world's barrier; used only with channels

static void form_predefined(struct skerry_team *team, int number, int start, int size) {
    // If the library was initialised and finalized before, the group still has its counters from that time. The group
    // keeps them: the words in the team's area, with which the counters are compared, have kept their values too.
    if (team->group.size == 0) skerry_team_form(team, number, start, 1, size, skerry_my_pe() - start, world_rounds);
    team->group.by_hardware = skerry_has_hardware_barrier();
    team->live = true;
}

// SHMEM_TEAM_SHARED contains the PEs whose memory this PE can access by the addresses that shmem_ptr returns. These are
// all PEs of this PE's node.
static void form_shared_team(void) {
    int first = 0, end = skerry_pe_count();
#if SKERRY_FAR_PES
    const int node = skerry_node_of(skerry_my_pe());
    first = skerry_node_first(node);
    end = skerry_node_first(node + 1);
#endif
    form_predefined(&skerry_team_shared, 1, first, end - first);
}

void skerry_teams_begin(void) {
    form_predefined(&skerry_team_world, 0, 0, skerry_pe_count());
    if (!SKERRY_CHANNELS) { // with channels the predefined teams are one object
        form_shared_team();
        form_predefined(&skerry_team_active_world, 2, 0, skerry_pe_count());
    }
    if (skerry_split_teams_begin) skerry_split_teams_begin();
}

void skerry_teams_end(void) {
    if (skerry_split_teams_end) skerry_split_teams_end();
    skerry_team_world.live = false;
    if (!SKERRY_CHANNELS) skerry_team_shared.live = skerry_team_active_world.live = false;
}
