// SPDX-License-Identifier: BSD-3-Clause
// Memory ordering (specification, section 9.10). Contexts of one PE share the machine's order, so each form is the same.

//@ shmem_fence: shmem_fence
// Puts, atomics and stores before it arrive at each PE before those after it. Completes nothing.
//   ctx  context whose operations are ordered; SHMEM_CTX_INVALID: nothing happens
// Source: OpenSHMEM 1.6, memory ordering, SHMEM_FENCE.

//@ shmem_quiet: shmem_quiet
// On return every operation of this PE is complete and visible to all PEs; non-blocking gets have delivered.
//   ctx  context whose operations are completed; SHMEM_CTX_INVALID: nothing happens
// Source: OpenSHMEM 1.6, memory ordering, SHMEM_QUIET.

//@ shmem_pe_quiet: shmem_pe_quiet
// shmem_quiet for the operations on some PEs only.
//   target_pes  ranks in the world, or in the context's team
//   npes        how many
// Source: OpenSHMEM 1.6, memory ordering, SHMEM_PE_QUIET.

SKERRY_INLINE(void, shmem_fence, (void), {
    SKERRY_WHEN_CHECKING(skerry_check_running(__func__ + 1))
    skerry_fence();
})
SKERRY_INLINE(void, shmem_quiet, (void), {
    SKERRY_WHEN_CHECKING(skerry_check_quiet(__func__ + 1))
    skerry_quiet();
    skerry_may_be_polling(0);
})
SKERRY_INLINE(void, shmem_ctx_fence, (shmem_ctx_t ctx), {
    SKERRY_WHEN_CHECKING(if (ctx != SHMEM_CTX_INVALID) skerry_check_context(__func__ + 1, ctx, 0))
    (void)ctx;
    skerry_fence();
})
SKERRY_INLINE(void, shmem_ctx_quiet, (shmem_ctx_t ctx), {
    SKERRY_WHEN_CHECKING(if (ctx != SHMEM_CTX_INVALID) {
        skerry_check_context(__func__ + 1, ctx, 0);
        skerry_check_quiet(__func__ + 1);
    })
    (void)ctx;
    skerry_quiet();
    skerry_may_be_polling(0);
})
SKERRY_INLINE(void, shmem_pe_quiet, (const int *target_pes, size_t npes), {
    SKERRY_WHEN_CHECKING(skerry_check_pes(__func__ + 1, 0, target_pes, npes); skerry_check_quiet(__func__ + 1))
    (void)target_pes;
    (void)npes;
    skerry_quiet();
    skerry_may_be_polling(0);
})
SKERRY_INLINE(void, shmem_ctx_pe_quiet, (shmem_ctx_t ctx, const int *target_pes, size_t npes), {
    SKERRY_WHEN_CHECKING(if (ctx != SHMEM_CTX_INVALID) {
        skerry_check_context(__func__ + 1, ctx, 0);
        skerry_check_pes(__func__ + 1, ctx, target_pes, npes);
        skerry_check_quiet(__func__ + 1);
    })
    (void)ctx;
    (void)target_pes;
    (void)npes;
    skerry_quiet();
    skerry_may_be_polling(0);
})
