// SPDX-License-Identifier: BSD-3-Clause
// Initialisation may be repeated, each needs its finalize, only the last one ends the library; and after that the library
// may be initialised again, and again works from a clean state.
#include "test.h"

static long word, sum, source;
static long other = 5;

static bool is_initialized(void) {
    int initialized = -1;
    shmem_query_initialized(&initialized);
    return initialized != 0;
}

static void use(long round) {
    REQUIRE(shmem_my_pe() == me && shmem_n_pes() == pes, "round %ld: another number", round);
    shmem_long_p(&word, round * 100 + me, right_of(me));
    shmem_barrier_all();
    REQUIRE(word == round * 100 + left_of(me), "round %ld: put", round);
    source = round;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &source, 1);
    REQUIRE(sum == round * pes, "round %ld: sum", round);
    long *block = shmem_malloc(TEST_SIZE(100000, 4004));
    REQUIRE(block, "round %ld: no memory", round);
    shmem_long_p(&block[1000], round, right_of(me));
    shmem_barrier_all();
    REQUIRE(block[1000] == round, "round %ld: put to the heap", round);
    shmem_team_t team;
    REQUIRE(!shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &team), "round %ld: no team", round);
    shmem_long_sum_reduce(team, &sum, &source, 1);
    REQUIRE(sum == round * pes, "round %ld: sum of a team", round);
    // Block and team are left to finalize every other time.
    if (round % 2) return;
    shmem_team_destroy(team);
    shmem_free(block);
}

int main(void) {
    REQUIRE(!is_initialized(), "initialised before shmem_init");
    test_begin();
    for (long round = 1; round <= 5; round++) {
        int provided = -1;
        REQUIRE(is_initialized(), "not initialised after shmem_init");
        REQUIRE(shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) == 0, "a second initialisation is refused");
        shmem_init();
        use(round);
        shmem_finalize();
        REQUIRE(is_initialized(), "the first of three finalize calls ended the library");
        use(round);
        shmem_finalize();
        REQUIRE(is_initialized(), "the second of three finalize calls ended the library");
        shmem_long_p(&other, round, right_of(me)); // the last finalize completes it
        shmem_finalize();
        REQUIRE(!is_initialized(), "initialised after the last finalize");
        if (round == 5) break;
        shmem_init();
        REQUIRE(other == round, "round %ld: the last finalize lost a put", round);
        shmem_barrier_all();
    }
    return 0;
}
