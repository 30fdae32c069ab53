// SPDX-License-Identifier: BSD-3-Clause
// Contexts with every combination of options, on the world and on teams: they know their team, complete their operations
// when they are destroyed, and sessions on them change nothing.
// ways: 4:2:remote 64:4:tcp
#include "contexts.h"

static long box[8];

static void require_team(shmem_ctx_t ctx, shmem_team_t expected, const char *what) {
    shmem_team_t team = SHMEM_TEAM_INVALID;
    REQUIRE(shmem_ctx_get_team(ctx, &team) == 0 && team == expected, "%s: another team", what);
}

static void try_options(long options) {
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    REQUIRE(shmem_ctx_create(options, &ctx) == 0 && ctx != SHMEM_CTX_INVALID, "context with options %ld refused",
            options);
    require_team(ctx, SHMEM_TEAM_WORLD, "a context with options");
    long value = 1000 + options * 100 + me;
    shmem_ctx_long_put_nbi(ctx, &box[options], &value, 1, right_of(me));
    shmem_ctx_destroy(ctx); // completes the put
    shmem_sync_all();
    REQUIRE(box[options] == 1000 + options * 100 + left_of(me), "destroying a context with options %ld lost a put",
            options);
    shmem_sync_all();
}

// Hints of any kind, in any order and twice, leave operations as they are.
static void try_sessions(shmem_ctx_t ctx, int right, int left_in_world) {
    shmem_ctx_session_config_t config = {.total_ops = 10};
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    for (long i = 0; i < 4; i++) shmem_ctx_long_p(ctx, &box[i], i * 100 + me, right);
    shmem_ctx_session_start(ctx, 0, NULL, 0);
    for (long i = 4; i < 8; i++) shmem_ctx_long_atomic_set(ctx, &box[i], i * 100 + me, right);
    shmem_ctx_quiet(ctx);
    shmem_ctx_session_stop(ctx);
    shmem_ctx_session_stop(ctx);
    shmem_sync_all();
    for (long i = 0; i < 8; i++) REQUIRE(box[i] == i * 100 + left_in_world, "in a session: word %ld is %ld", i, box[i]);
    shmem_sync_all();
}

static void try_invalid(void) {
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    REQUIRE(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0 && ctx == SHMEM_CTX_INVALID,
            "a context of no team");
    shmem_team_t team = SHMEM_TEAM_WORLD;
    REQUIRE(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID, "the team of no context");
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    shmem_ctx_session_start(SHMEM_CTX_INVALID, 0, NULL, 0);
    shmem_ctx_session_stop(SHMEM_CTX_INVALID);
}

int main(void) {
    test_begin();
    require_team(SHMEM_CTX_DEFAULT, SHMEM_TEAM_WORLD, "the default context");
    REQUIRE((SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE) == 7,
            "the loop below tries all combinations");
    for (long options = 0; options < 8; options++) try_options(options);
    try_sessions(SHMEM_CTX_DEFAULT, right_of(me), left_of(me));
    struct test_context contexts[TEST_CONTEXTS_MAX];
    int count = test_contexts(contexts);
    for (int i = 0; i < count; i++) {
        if (contexts[i].team != SHMEM_TEAM_INVALID) require_team(contexts[i].ctx, contexts[i].team, contexts[i].name);
        if (contexts[i].size == pes)
            try_sessions(contexts[i].ctx, context_right(&contexts[i]), context_left_in_world(&contexts[i]));
    }
    test_contexts_end(contexts, count);
    try_invalid();
    return test_end();
}
