// SPDX-License-Identifier: BSD-3-Clause
// Contexts until there are no more: creation fails cleanly, those that exist work, and destroyed ones make room; a team's
// destruction gives back the contexts that were left on it.
// pes: 1 2 3
// skip: epiphany
#include "test.h"

#define CONTEXTS_MAX 1000000

static shmem_ctx_t contexts[CONTEXTS_MAX];
static long counter;

static int make_until_full(shmem_team_t team) {
    int count = 0;
    while (count < CONTEXTS_MAX && shmem_team_create_ctx(team, 0, &contexts[count]) == 0) count++;
    if (count < CONTEXTS_MAX)
        REQUIRE(contexts[count] == SHMEM_CTX_INVALID, "a context that could not be created is not SHMEM_CTX_INVALID");
    return count;
}

static void use(int count) {
    for (int i = 0; i < count; i++) shmem_ctx_long_atomic_add(contexts[i], &counter, 1, right_of(me));
    for (int i = 0; i < count; i++) shmem_ctx_quiet(contexts[i]);
    shmem_barrier_all();
    REQUIRE(counter == count, "%ld additions through %d contexts", counter, count);
    counter = 0;
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    int full = make_until_full(SHMEM_TEAM_WORLD);
    REQUIRE(full >= 64, "only %d contexts", full);
    use(full);
    for (int i = 0; i < full; i++) shmem_ctx_destroy(contexts[i]);
    REQUIRE(make_until_full(SHMEM_TEAM_WORLD) == full, "fewer contexts the second time");
    for (int i = 0; i < full; i++) shmem_ctx_destroy(contexts[i]);
    for (int round = 0; round < 2; round++) {
        shmem_team_t team;
        REQUIRE(!shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &team), "no team");
        int made = make_until_full(team);
        REQUIRE(made == full, "round %d: a destroyed team kept contexts: %d of %d are left", round, made, full);
        shmem_team_destroy(team); // with all its contexts
    }
    REQUIRE(make_until_full(SHMEM_TEAM_WORLD) == full, "fewer contexts at the end");
    return test_end(); // they are left to finalize
}
