// SPDX-License-Identifier: BSD-3-Clause
// Sessions (specification, section 9.12): hints about the operations to come on a context. They never change what is
// complete or in order.

//@ shmem_ctx_session_start: shmem_ctx_session_start shmem_ctx_session_stop
// Tells that many operations on a context follow, or have ended. A hint; here there is nothing that it could make faster.
//   options              0 or SHMEM_CTX_SESSION_BATCH
//   config, config_mask  SHMEM_CTX_SESSION_TOTAL_OPS and the expected count, or NULL and 0
// Source: OpenSHMEM 1.6, sessions, SHMEM_CTX_SESSION_START and SHMEM_CTX_SESSION_STOP.

SKERRY_DECLARE(void, shmem_ctx_session_start,
               (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask))
SKERRY_DECLARE(void, shmem_ctx_session_stop, (shmem_ctx_t ctx))
