// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines for communication contexts (specification, section 9.5).

//@ shmem_ctx_create: shmem_ctx_create shmem_team_create_ctx
// Creates a communication context for the world team or for another team. Ranks that a call gives with the context are
// ranks in that team.
//   options  0, or a combination of SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE and SHMEM_CTX_NOSTORE
//   ctx      set to the context, or to SHMEM_CTX_INVALID on failure
// Returns: 0; non-zero if an option is unknown, or if this PE already has the largest number of contexts: 4096 on
// Linux, 8 on a chip.
// Source: OpenSHMEM 1.6, contexts, SHMEM_CTX_CREATE and SHMEM_TEAM_CREATE_CTX.

//@ shmem_ctx_destroy: shmem_ctx_destroy
// Completes the operations of a context and destroys the context. For SHMEM_CTX_INVALID it does nothing.
//   ctx  a context that this PE made
// Source: OpenSHMEM 1.6, contexts, SHMEM_CTX_DESTROY.

//@ shmem_ctx_get_team: shmem_ctx_get_team
// Gives the team of a context.
//   team  set to the team, or to SHMEM_TEAM_INVALID on failure
// Returns: 0, or non-zero for SHMEM_CTX_INVALID.
// Source: OpenSHMEM 1.6, contexts, SHMEM_CTX_GET_TEAM.

SKERRY_DECLARE(int, shmem_ctx_create, (long options, shmem_ctx_t *ctx))
SKERRY_DECLARE(int, shmem_team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx))
SKERRY_DECLARE(void, shmem_ctx_destroy, (shmem_ctx_t ctx))
SKERRY_DECLARE(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team))
