// SPDX-License-Identifier: BSD-3-Clause
// teams on the host: at most as many teams as asked for, each with a number, regions and loops within them, distribute.
// threads: 1 2 3 4 8
#include "test.h"

static int runs[500];

static void all_once(const char *what) {
    for (int i = 0; i < 500; i++) REQUIRE(runs[i] == 1, "%s: iteration %d ran %d times", what, i, runs[i]);
    memset(runs, 0, sizeof runs);
}

static int seen[4], inner;

// Called by the first thread of each team.
static void one_team(void) {
    int teams = omp_get_num_teams(), me = omp_get_team_num();
    REQUIRE(teams >= 1 && teams <= 4 && me >= 0 && me < teams, "team %d of %d", me, teams);
    REQUIRE(omp_get_thread_limit() <= 2, "thread limit %d", omp_get_thread_limit());
    REQUIRE(omp_get_num_threads() == 1 && omp_get_level() == 0 && !omp_in_parallel(), "a team begins with one thread");
    test_add(&seen[me], 1);
#pragma omp parallel
    {
        REQUIRE(omp_get_num_threads() <= 2, "%d threads where 2 may be", omp_get_num_threads());
        REQUIRE(omp_get_team_num() == me && omp_get_num_teams() == teams, "inside team %d it is %d", me,
                omp_get_team_num());
        test_add(&inner, 1);
    }
}

static void require_three(void) {
    REQUIRE(omp_get_num_teams() == 3, "num_teams(3:3): %d", omp_get_num_teams());
}

static void require_limits(void) {
    REQUIRE(omp_get_num_teams() <= 2 && omp_get_thread_limit() <= 3, "%d teams of %d", omp_get_num_teams(),
            omp_get_thread_limit());
}

int main(void) {
    int sum = 0;
    REQUIRE(omp_get_num_teams() == 1 && omp_get_team_num() == 0, "outside: %d of %d", omp_get_team_num(),
            omp_get_num_teams());
#pragma omp teams num_teams(4) thread_limit(2) reduction(+ : sum)
    {
        one_team();
        sum += 1;
    }
    for (int i = 0; i < sum; i++) REQUIRE(seen[i] == 1, "team %d ran %d times", i, seen[i]);
    REQUIRE(sum >= 1 && inner >= sum, "%d teams, %d threads", sum, inner);
#pragma omp teams num_teams(3 : 3)
    require_three();
#pragma omp teams distribute num_teams(3)
    for (int i = 0; i < 500; i++) test_add(&runs[i], 1);
    all_once("distribute");
#pragma omp teams num_teams(2)
#pragma omp distribute dist_schedule(static, 7)
    for (int i = 0; i < 500; i++) test_add(&runs[i], 1);
    all_once("distribute, chunks of 7");
#pragma omp teams distribute parallel for schedule(dynamic, 3)
    for (int i = 0; i < 500; i++) test_add(&runs[i], 1);
    all_once("distribute parallel for");
#pragma omp teams distribute parallel for simd num_teams(2) thread_limit(3) reduction(+ : sum)
    for (int i = 0; i < 500; i++) {
        test_add(&runs[i], 1);
        sum += 1;
    }
    all_once("distribute parallel for simd");
    REQUIRE(sum >= 501 && sum <= 504, "sum %d", sum);
    int ran = 0;
#pragma omp teams loop reduction(+ : ran)
    for (int i = 0; i < 500; i++) ran++;
    REQUIRE(ran == 500, "loop: %d", ran);
    omp_set_num_teams(2);
    omp_set_teams_thread_limit(3);
    REQUIRE(omp_get_max_teams() == 2 && omp_get_teams_thread_limit() == 3, "%d teams of %d", omp_get_max_teams(),
            omp_get_teams_thread_limit());
#pragma omp teams
    require_limits();
    return 0;
}
