// SPDX-License-Identifier: BSD-3-Clause
// Communication contexts (specification, section 9.5).

//@ shmem_ctx_create: shmem_ctx_create shmem_team_create_ctx
// Makes a communication context, of the world or of a team; ranks given with it are the team's.
//   options  0, or SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE, SHMEM_CTX_NOSTORE combined
//   ctx      the context; SHMEM_CTX_INVALID on failure
// Returns: 0, or non-zero when no more are to be had (4096 at a time) or an option is unknown.
// Source: OpenSHMEM 1.6, contexts, SHMEM_CTX_CREATE and SHMEM_TEAM_CREATE_CTX.

//@ shmem_ctx_destroy: shmem_ctx_destroy
// Completes a context's operations and destroys it. SHMEM_CTX_INVALID does nothing.
//   ctx  a context that this PE made
// Source: OpenSHMEM 1.6, contexts, SHMEM_CTX_DESTROY.

//@ shmem_ctx_get_team: shmem_ctx_get_team
// The team of a context.
//   team  set to it, or to SHMEM_TEAM_INVALID
// Returns: 0, or non-zero for SHMEM_CTX_INVALID.
// Source: OpenSHMEM 1.6, contexts, SHMEM_CTX_GET_TEAM.

SKERRY_DECLARE(int, shmem_ctx_create, (long options, shmem_ctx_t *ctx))
SKERRY_DECLARE(int, shmem_team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx))
SKERRY_DECLARE(void, shmem_ctx_destroy, (shmem_ctx_t ctx))
SKERRY_DECLARE(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team))
