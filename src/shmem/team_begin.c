// SPDX-License-Identifier: BSD-3-Clause
// The predefined teams, from an initialisation to its end.
#include "team_internal.h"

// Where no team is ever split off, the table of teams need not be there.
#pragma weak skerry_split_teams_begin
#pragma weak skerry_split_teams_end

static skerry_word world_rounds[SKERRY_PARTNERS_MAX]; // over channels only

static void form_predefined(struct skerry_team *team, int number) {
    // A later initialisation goes on where the last one ended: the words of the area never shrink.
    if (team->group.size == 0) skerry_team_form(team, number, 0, 1, skerry_pe_count(), skerry_my_pe(), world_rounds);
    team->group.by_hardware = skerry_has_hardware_barrier();
    team->live = true;
}

void skerry_teams_begin(void) {
    form_predefined(&skerry_team_world, 0);
    if (!SKERRY_CHANNELS) { // which are one and the same otherwise
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
