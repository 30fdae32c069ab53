// SPDX-License-Identifier: BSD-3-Clause
// Implements the teams construct, which runs a league: several teams that each run the construct's code. On the host
// one thread, which executes the construct, runs the parts of all teams one after the other. While this thread runs a
// part, it is outside all parallel regions, as before the construct. omp_get_team_num returns the number of the team
// whose part runs.
#include "../internal.h"
#include "../routines/routines.h"

// Returns the calling thread's team at level 0, the team that the thread is in outside all regions. While the thread
// runs a league, this struct represents each team of the league in turn.
static struct omp_team *initial_team(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    while (team->level) team = team->outer;
    return team;
}

static void limit_threads(uint32_t limit) {
    if (!limit) limit = (uint32_t)skerry_omp_device.teams_limit;
    if (limit) skerry_omp_own_icv()->thread_limit = limit > INT32_MAX ? UINT32_MAX : limit;
}

OMP_EXPORT void GOMP_teams_reg(omp_function *function, void *data, unsigned teams, unsigned thread_limit,
                               unsigned flags) {
    (void)flags;
    struct omp_thread *self = omp_self();
    struct omp_team *team = initial_team(self);
    uint32_t limit = self->state.task->icv->thread_limit;
    limit_threads(thread_limit);
    if (!teams) teams = skerry_omp_device.teams ? (unsigned)skerry_omp_device.teams : 1;
    team->teams = teams;
    for (team->team_number = 0; team->team_number < teams; team->team_number++) function(data);
    team->team_number = 0;
    team->teams = 1;
    if (self->state.task->icv->thread_limit != limit) skerry_omp_own_icv()->thread_limit = limit;
}

// Begins the first or the next team of a league in a target region. The compiled program calls this function before
// each team. Returns false if all teams have run. The function does not restore the control variables that it changes:
// the target region has its own control variables, and ends together with its league.
OMP_EXPORT bool GOMP_teams4(unsigned lower, unsigned upper, unsigned thread_limit, bool is_first) {
    struct omp_team *team = initial_team(omp_self());
    if (!is_first) return ++team->team_number < team->teams;
    limit_threads(thread_limit);
    if (!lower && !upper) lower = (unsigned)skerry_omp_device.teams;
    team->teams = lower ? lower : 1; // the smallest allowed number: more teams would only run one after the other
    team->team_number = 0;
    return true;
}

// Begins a league of one team. Programs compiled by a GCC before version 12 call this function in target regions.
OMP_EXPORT void GOMP_teams(unsigned teams, unsigned thread_limit) {
    (void)teams;
    limit_threads(thread_limit);
}

OMP_EXPORT int omp_get_num_teams(void) {
    return (int)initial_team(omp_self())->teams;
}

OMP_EXPORT int omp_get_team_num(void) {
    return (int)initial_team(omp_self())->team_number;
}

OMP_EXPORT void omp_set_num_teams(int teams) {
    if (teams >= 0) skerry_omp_device.teams = teams;
}

OMP_EXPORT int omp_get_max_teams(void) {
    return skerry_omp_device.teams;
}

OMP_EXPORT void omp_set_teams_thread_limit(int limit) {
    if (limit >= 0) skerry_omp_device.teams_limit = limit;
}

OMP_EXPORT int omp_get_teams_thread_limit(void) {
    return skerry_omp_device.teams_limit;
}
