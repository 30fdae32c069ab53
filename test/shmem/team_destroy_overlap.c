// SPDX-License-Identifier: BSD-3-Clause
// A team's number is taken for another team while a slow member of the first is still on its way out of its destruction:
// the slow member gets out all the same. PE 0 is in both teams; PE 1, only in the first, is stopped while it waits. So that
// the number is surely taken, the others make as many teams as there can be.
// pes: 3 5 16
// skip: epiphany
#define _GNU_SOURCE
#include "test.h"

#include <signal.h>
#include <unistd.h>

#define TEAMS_MAX 100000

static shmem_team_t teams[TEAMS_MAX];

static long process;
static pid_t stopped;

// In case that PE 0 cannot get out of the destruction without PE 1 after all, which is allowed.
static void continue_other(int number) {
    (void)number;
    kill(stopped, SIGCONT);
}

static shmem_team_t split(shmem_team_t parent, int start, int stride, int size) {
    shmem_team_t team;
    REQUIRE(!shmem_team_split_strided(parent, start, stride, size, NULL, 0, &team), "split refused");
    return team;
}

static void use(shmem_team_t team, int times) {
    for (int i = 0; i < times; i++) REQUIRE(shmem_team_sync(team) == 0, "sync failed");
}

static int make_until_full(shmem_team_t parent) {
    int count = 0, size = shmem_team_n_pes(parent);
    while (count < TEAMS_MAX && !shmem_team_split_strided(parent, 0, 1, size, NULL, 0, &teams[count])) count++;
    return count;
}

int main(void) {
    test_begin();
    shmem_team_t others = split(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2); // 0, 2, ... : not PE 1
    process = getpid();
    signal(SIGALRM, continue_other);
    shmem_barrier_all();
    shmem_team_t pair = split(SHMEM_TEAM_WORLD, 0, 1, 2); // 0 and 1
    if (pair != SHMEM_TEAM_INVALID) use(pair, 20);        // more than any of the next teams
    if (me == 0) {
        test_sleep_ms(30); // PE 1 waits in the destruction by now
        stopped = (pid_t)shmem_long_g(&process, 1);
        REQUIRE(kill(stopped, SIGSTOP) == 0, "PE 1 cannot be stopped");
        alarm(3);
    }
    if (pair != SHMEM_TEAM_INVALID) shmem_team_destroy(pair);
    int count = others != SHMEM_TEAM_INVALID ? make_until_full(others) : 0;
    if (me == 0) REQUIRE(alarm(0) <= 3 && kill(stopped, SIGCONT) == 0, "PE 1 cannot be continued");
    shmem_barrier_all();
    for (int i = 0; i < count; i++) shmem_team_destroy(teams[i]);
    shmem_team_destroy(others);
    return test_end();
}
