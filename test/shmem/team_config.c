// SPDX-License-Identifier: BSD-3-Clause
// A team's configuration: what the mask selects is kept and given back, an empty mask touches nothing, an invalid team is
// refused, and rows and columns of a 2D split may differ.
#include "test.h"

static void require_contexts(shmem_team_t team, int expected, const char *what) {
    shmem_team_config_t config = {.num_contexts = -77};
    REQUIRE(shmem_team_get_config(team, 0, NULL) == 0, "%s: mask 0", what);
    REQUIRE(shmem_team_get_config(team, 0, &config) == 0 && config.num_contexts == -77, "%s: mask 0 wrote", what);
    REQUIRE(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &config) == 0, "%s: get_config failed", what);
    REQUIRE(config.num_contexts == expected, "%s: num_contexts is %d, not %d", what, config.num_contexts, expected);
}

// The contexts that a team was promised can be made, all at once.
static void use_contexts(shmem_team_t team, int count) {
    shmem_ctx_t contexts[8];
    for (int i = 0; i < count; i++)
        REQUIRE(!shmem_team_create_ctx(team, 0, &contexts[i]), "context %d of %d", i, count);
    for (int i = 0; i < count; i++) shmem_ctx_destroy(contexts[i]);
}

int main(void) {
    test_begin();
    shmem_team_config_t config = {.num_contexts = 5}, wide = {.num_contexts = 7};
    shmem_team_t team, row, column;
    REQUIRE(!shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, &config, SHMEM_TEAM_NUM_CONTEXTS, &team), "no team");
    require_contexts(team, 5, "a team with 5 contexts");
    use_contexts(team, 5);
    shmem_team_destroy(team);
    REQUIRE(!shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, &config, 0, &team), "no team");
    require_contexts(team, 0, "a team whose configuration is masked out");
    shmem_team_destroy(team);
    REQUIRE(!shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &team), "no team");
    require_contexts(team, 0, "a team without a configuration");
    shmem_team_destroy(team);
    REQUIRE(!shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, &config, SHMEM_TEAM_NUM_CONTEXTS, &row, &wide,
                                 SHMEM_TEAM_NUM_CONTEXTS, &column),
            "no rows and columns");
    require_contexts(row, 5, "a row");
    require_contexts(column, 7, "a column");
    use_contexts(column, 7);
    shmem_team_destroy(row);
    shmem_team_destroy(column);
    config.num_contexts = -77;
    REQUIRE(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config) != 0 &&
                config.num_contexts == -77,
            "the configuration of no team");
    config.num_contexts = -1;
    REQUIRE(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, &config, SHMEM_TEAM_NUM_CONTEXTS, &team) != 0 &&
                team == SHMEM_TEAM_INVALID,
            "a team of -1 contexts");
    return test_end();
}
