// SPDX-License-Identifier: BSD-3-Clause
// The contexts through which every routine with a context is tried: the default one, one with each option, and those of
// teams whose numbering differs from the world's.
#ifndef SKERRY_TEST_SHMEM_CONTEXTS_H
#define SKERRY_TEST_SHMEM_CONTEXTS_H

#include "test.h"

struct test_context {
    const char *name;
    shmem_team_t team; // whose numbers its PEs have; SHMEM_TEAM_INVALID where this PE is not a member
    shmem_ctx_t ctx;
    int rank; // of this PE
    int size;
};

#define TEST_CONTEXTS_MAX 10

static void context_of_team(struct test_context *context, const char *name, shmem_team_t team, long options) {
    *context = (struct test_context){.name = name, .team = team, .ctx = SHMEM_CTX_INVALID, .rank = -1};
    if (team == SHMEM_TEAM_INVALID) return;
    context->rank = shmem_team_my_pe(team);
    context->size = shmem_team_n_pes(team);
    REQUIRE(shmem_team_create_ctx(team, options, &context->ctx) == 0, "context of team %s refused", name);
}

static void context_of_world(struct test_context *context, const char *name, long options) {
    *context = (struct test_context){.name = name, .team = SHMEM_TEAM_WORLD, .rank = me, .size = pes};
    REQUIRE(shmem_ctx_create(options, &context->ctx) == 0, "context %s refused", name);
}

static shmem_team_t split(int start, int stride, int size) {
    shmem_team_t team;
    REQUIRE(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team) == 0,
            "split of %d PEs from %d by %d refused", size, start, stride);
    return team;
}

// Collective. Fills the list and returns its length, the same in every PE.
TEST_UNUSED static int test_contexts(struct test_context *list) {
    int count = 0;
    list[count++] = (struct test_context){"default", SHMEM_TEAM_WORLD, SHMEM_CTX_DEFAULT, me, pes};
    context_of_world(&list[count++], "no options", 0);
    context_of_world(&list[count++], "serialized", SHMEM_CTX_SERIALIZED);
    context_of_world(&list[count++], "private, nostore", SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE);
    context_of_team(&list[count++], "world", SHMEM_TEAM_WORLD, 0);
    context_of_team(&list[count++], "shared", SHMEM_TEAM_SHARED, SHMEM_CTX_NOSTORE);
    context_of_team(&list[count++], "reversed", split(pes - 1, pes > 1 ? -1 : 1, pes), 0);
    context_of_team(&list[count++], "even", split(0, 2, (pes + 1) / 2), SHMEM_CTX_SERIALIZED);
    if (pes >= 3) context_of_team(&list[count++], "upper, reversed by 2", split(pes - 1, -2, pes / 2), 0);
    return count;
}

// Collective.
TEST_UNUSED static void test_contexts_end(struct test_context *list, int count) {
    for (int i = 0; i < count; i++) {
        if (list[i].ctx != SHMEM_CTX_DEFAULT) shmem_ctx_destroy(list[i].ctx);
        if (list[i].team != SHMEM_TEAM_WORLD && list[i].team != SHMEM_TEAM_SHARED) shmem_team_destroy(list[i].team);
    }
}

// The member beside this PE, in the team's numbers: to be named in calls.
TEST_UNUSED static int context_right(const struct test_context *context) {
    return (context->rank + 1) % context->size;
}

// World number of the member on the other side: whose writes arrive here.
TEST_UNUSED static int context_left_in_world(const struct test_context *context) {
    return shmem_team_translate_pe(context->team, (context->rank + context->size - 1) % context->size,
                                   SHMEM_TEAM_WORLD);
}

TEST_UNUSED static int context_right_in_world(const struct test_context *context) {
    return shmem_team_translate_pe(context->team, context_right(context), SHMEM_TEAM_WORLD);
}

#endif
