// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines for sessions (specification, section 9.12), which are hints about the operations that follow on
// a context. A session changes neither the order nor the completion of operations.

//@ shmem_ctx_session_start: shmem_ctx_session_start shmem_ctx_session_stop
// Starts or stops a session: a hint that many operations on a context follow, or that they have ended. This library
// does not use the hint.
//   options              0 or SHMEM_CTX_SESSION_BATCH
//   config, config_mask  the expected number of operations and SHMEM_CTX_SESSION_TOTAL_OPS, or NULL and 0
// Source: OpenSHMEM 1.6, sessions, SHMEM_CTX_SESSION_START and SHMEM_CTX_SESSION_STOP.

SKERRY_DECLARE(void, shmem_ctx_session_start,
               (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask))
SKERRY_DECLARE(void, shmem_ctx_session_stop, (shmem_ctx_t ctx))
