// SPDX-License-Identifier: BSD-3-Clause
// Sets up the predefined teams when the library is initialised, and ends all teams when it is finalized.
#include "team_internal.h"

// These symbols of team_split.c are weak, so that a program that never splits a team need not contain the table of
// teams.
#pragma weak skerry_split_teams_begin
#pragma weak skerry_split_teams_end

static skerry_word world_rounds[SKERRY_PARTNERS_MAX]; // words of the world's barrier; used only with channels

static void form_predefined(struct skerry_team *team, int number) {
    // If the library was initialised and finalized before, the group has its counters from that time. It keeps them,
    // because the words in the team's area, with which the counters are compared, have kept their values too.
    if (team->group.size == 0) skerry_team_form(team, number, 0, 1, skerry_pe_count(), skerry_my_pe(), world_rounds);
    team->group.by_hardware = skerry_has_hardware_barrier();
    team->live = true;
}

void skerry_teams_begin(void) {
    form_predefined(&skerry_team_world, 0);
    if (!SKERRY_CHANNELS) { // with channels the predefined teams are one object
        form_predefined(&skerry_team_shared, 1);
        form_predefined(&skerry_team_active_world, 2);
    }
    if (skerry_split_teams_begin) skerry_split_teams_begin();
}

void skerry_teams_end(void) {
    if (skerry_split_teams_end) skerry_split_teams_end();
    skerry_team_world.live = false;
    if (!SKERRY_CHANNELS) skerry_team_shared.live = skerry_team_active_world.live = false;
}
