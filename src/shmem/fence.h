// SPDX-License-Identifier: BSD-3-Clause
// Defines the routines for memory ordering (specification, section 9.10). Inside a node, a fence or a quiet on one
// context also orders or completes the operations of this PE's other contexts. Only operations on PEs of other nodes
// are completed for each context separately.

//@ shmem_fence: shmem_fence
// Orders this PE's puts, atomics and stores. Operations before the fence arrive at each PE before operations after the
// fence. The routine does not wait until the operations are complete.
//   ctx  context whose operations are ordered; for SHMEM_CTX_INVALID the routine does nothing
// Source: OpenSHMEM 1.6, memory ordering, SHMEM_FENCE.

//@ shmem_quiet: shmem_quiet
// Completes all operations of this PE: on return they are visible to all PEs, and non-blocking gets have delivered
// their data.
//   ctx  context whose operations are completed; for SHMEM_CTX_INVALID the routine does nothing
// Source: OpenSHMEM 1.6, memory ordering, SHMEM_QUIET.

//@ shmem_pe_quiet: shmem_pe_quiet
// Completes this PE's operations on some PEs only, as shmem_quiet does for all PEs.
//   target_pes  ranks in the world team, or in the team of the context
//   npes        number of ranks in target_pes
// Source: OpenSHMEM 1.6, memory ordering, SHMEM_PE_QUIET.

SKERRY_INLINE(void, shmem_fence, (void), {
    SKERRY_WHEN_CHECKING(skerry_check_running(__func__ + 1))
    skerry_fence();
})
SKERRY_INLINE(void, shmem_quiet, (void), {
    SKERRY_WHEN_CHECKING(skerry_check_quiet(__func__ + 1))
    skerry_quiet();
})
SKERRY_INLINE(void, shmem_ctx_fence, (shmem_ctx_t ctx), {
    SKERRY_WHEN_CHECKING(if (ctx != SHMEM_CTX_INVALID) skerry_check_context(__func__ + 1, ctx, 0))
    skerry_fence_context(ctx);
})
SKERRY_INLINE(void, shmem_ctx_quiet, (shmem_ctx_t ctx), {
    SKERRY_WHEN_CHECKING(if (ctx != SHMEM_CTX_INVALID) {
        skerry_check_context(__func__ + 1, ctx, 0);
        skerry_check_quiet(__func__ + 1);
    })
    skerry_quiet_context(ctx);
})
SKERRY_INLINE(void, shmem_pe_quiet, (const int *target_pes, size_t npes), {
    SKERRY_WHEN_CHECKING(skerry_check_pes(__func__ + 1, 0, target_pes, npes); skerry_check_quiet(__func__ + 1))
    (void)target_pes;
    (void)npes;
    skerry_quiet();
})
SKERRY_INLINE(void, shmem_ctx_pe_quiet, (shmem_ctx_t ctx, const int *target_pes, size_t npes), {
    SKERRY_WHEN_CHECKING(if (ctx != SHMEM_CTX_INVALID) {
        skerry_check_context(__func__ + 1, ctx, 0);
        skerry_check_pes(__func__ + 1, ctx, target_pes, npes);
        skerry_check_quiet(__func__ + 1);
    })
    (void)target_pes;
    (void)npes;
    skerry_quiet_context(ctx);
})
