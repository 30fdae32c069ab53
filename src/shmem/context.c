// SPDX-License-Identifier: BSD-3-Clause
// Implements communication contexts. A context is a handle that maps the ranks of its team to PEs. Which operations are
// ordered and completed together:
// - Inside a node, the operations of all contexts of a PE.
// - On PEs of other nodes, the operations of one context. But a quiet on the default context completes the operations
//   of all contexts.
#include "team_internal.h"

struct skerry_context skerry_context_default = {.stride = 1, .team = &skerry_team_world, .size = INT32_MAX};

static struct skerry_context contexts[SKERRY_CONTEXTS_MAX];

// Returns a slot for a new context, or NULL if all slots are in use. A slot is free while its size is 0. The thread
// that replaces this 0 by -1 owns the slot: it fills in the slot and then stores the team's size with release. size_now
// reads the size with acquire, so a thread that sees the size also sees the other fields.
static struct skerry_context *claim_slot(void) {
    for (int i = 0; i < SKERRY_CONTEXTS_MAX; i++) {
        int32_t free_size = 0;
        if (__atomic_load_n(&contexts[i].size, __ATOMIC_RELAXED) != 0) continue;
        if (__atomic_compare_exchange_n(&contexts[i].size, &free_size, -1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return &contexts[i];
    }
    return 0;
}

bool skerry_is_context(const struct skerry_context *context) {
    uintptr_t distance = (uintptr_t)context - (uintptr_t)contexts;
    if (context == SHMEM_CTX_DEFAULT) return true;
    return distance < sizeof contexts && distance % sizeof contexts[0] == 0;
}

static int32_t size_now(const struct skerry_context *context) {
    return __atomic_load_n(&context->size, __ATOMIC_ACQUIRE);
}

static int create(const char *routine, struct skerry_team *team, long options, shmem_ctx_t *context) {
    SKERRY_WHEN_CHECKING(skerry_check_result(routine, "ctx", context))
    *context = SHMEM_CTX_INVALID;
    const struct skerry_group *group = skerry_group_of(routine, team);
    SKERRY_WHEN_CHECKING(skerry_check_context_options(routine, options))
    if (options & ~SKERRY_CONTEXT_OPTIONS) return -1;
    struct skerry_context *slot = claim_slot();
    if (!slot) return -1;
    slot->start = group->start;
    slot->stride = group->stride;
    slot->team = team;
    slot->options = (int32_t)options;
#if SKERRY_FAR_PES
    slot->number = (uint32_t)(slot - contexts) % (SKERRY_FAR_CONTEXTS - 1) + 1;
#endif
    slot->thread = skerry_thread_identity();
    __atomic_store_n(&slot->size, group->size, __ATOMIC_RELEASE);
    *context = slot;
    return 0;
}

SKERRY_DEFINE(int, shmem_ctx_create, (long options, shmem_ctx_t *ctx)) {
    return create(__func__ + 1, SHMEM_TEAM_WORLD, options, ctx);
}

SKERRY_DEFINE(int, shmem_team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx)) {
    SKERRY_WHEN_CHECKING(skerry_check_result(__func__ + 1, "ctx", ctx))
    *ctx = SHMEM_CTX_INVALID;
    if (team == SHMEM_TEAM_INVALID) return -1;
    return create(__func__ + 1, team, options, ctx);
}

SKERRY_DEFINE(void, shmem_ctx_destroy, (shmem_ctx_t ctx)) {
    if (ctx == SHMEM_CTX_INVALID) return;
    SKERRY_WHEN_CHECKING(skerry_check_is_context(__func__ + 1, ctx))
    if (ctx == SHMEM_CTX_DEFAULT) skerry_fail(__func__ + 1, "SHMEM_CTX_DEFAULT cannot be destroyed");
    if (size_now(ctx) == 0) skerry_fail(__func__ + 1, "ctx: must not be used after it was destroyed");
    SKERRY_WHEN_CHECKING(skerry_check_context(__func__ + 1, ctx, 0); skerry_check_quiet(__func__ + 1))
    skerry_quiet_context(ctx);
    __atomic_store_n(&ctx->size, 0, __ATOMIC_RELEASE);
}

void skerry_contexts_of_team_end(const struct skerry_team *team) {
    for (int i = 0; i < SKERRY_CONTEXTS_MAX; i++)
        if (size_now(&contexts[i]) > 0 && contexts[i].team == team)
            __atomic_store_n(&contexts[i].size, 0, __ATOMIC_RELEASE);
}

SKERRY_DEFINE(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team)) {
    SKERRY_WHEN_CHECKING(skerry_check_result(__func__ + 1, "team", team))
    *team = SHMEM_TEAM_INVALID;
    SKERRY_WHEN_CHECKING(skerry_check_is_context(__func__ + 1, ctx))
    if (ctx == SHMEM_CTX_INVALID || size_now(ctx) == 0) return -1;
    *team = ctx->team;
    return 0;
}

// A session is a hint about the operations that follow. No operation of this library can use the hint, so
// shmem_ctx_session_start and shmem_ctx_session_stop only check their arguments.
SKERRY_DEFINE(void, shmem_ctx_session_start,
              (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask)) {
    SKERRY_WHEN_CHECKING(if (ctx != SHMEM_CTX_INVALID) skerry_check_context(__func__ + 1, ctx, 0))
    SKERRY_WHEN_CHECKING(skerry_check_config(__func__ + 1, "config", config, config_mask))
    (void)ctx;
    (void)options;
    (void)config;
    (void)config_mask;
}

SKERRY_DEFINE(void, shmem_ctx_session_stop, (shmem_ctx_t ctx)) {
    SKERRY_WHEN_CHECKING(if (ctx != SHMEM_CTX_INVALID) skerry_check_context(__func__ + 1, ctx, 0))
    (void)ctx;
}
