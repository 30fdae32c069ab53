// SPDX-License-Identifier: BSD-3-Clause
// Contains the table of the signalling operations (specification, section 9.8): a put that updates a signal word after
// its data, and operations on signal words. The update of the signal word is a store-release. So a PE that sees the new
// signal value also sees the data. signal_inline.h has the bodies.

//@ shmem_put_signal: shmem_TYPENAME_put_signal shmem_putSIZE_signal shmem_putmem_signal shmem_TYPENAME_put_signal_nbi shmem_putSIZE_signal_nbi shmem_putmem_signal_nbi
// Puts data to another PE and then updates a signal word there. A PE that sees the signal also sees the data.
//   dest, source, nelems, pe  as for shmem_put; nelems can be 0
//   sig_addr  symmetric address of the signal word
//   signal    the value to set or to add
//   sig_op    SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD
// Order: the signal shows only that this data has arrived. If it must also show that earlier puts have arrived, call
// shmem_fence before this routine.
// Source: OpenSHMEM 1.6, signaling, SHMEM_PUT_SIGNAL and SHMEM_PUT_SIGNAL_NBI.

//@ shmem_signal_add: shmem_signal_add shmem_signal_set
// Adds a value to a signal word of another PE, or sets the word to the value.
//   sig_addr  symmetric address of the signal word
//   signal    the value to add or to set
//   pe        rank in the world team; if the call has a context, rank in the context's team
// Source: OpenSHMEM 1.6, signaling, SHMEM_SIGNAL_ADD and SHMEM_SIGNAL_SET.

//@ shmem_signal_fetch: shmem_signal_fetch
// Returns the value of a signal word of this PE. The load is an acquire: after the load, the data of the put that set
// this value is visible.
//   sig_addr  address of the signal word
// Source: OpenSHMEM 1.6, signaling, SHMEM_SIGNAL_FETCH.

SKERRY_TYPED_PAIRS(RMA, SKERRY_NOTHING, _put_signal, SKERRY_SIGNALLED, skerry_shmem_put_signal)
SKERRY_TYPED_PAIRS(RMA, SKERRY_NOTHING, _put_signal_nbi, SKERRY_SIGNALLED, skerry_shmem_put_signal_nbi)
SKERRY_SIZED_PAIRS(SIZE_OR_MEM, _put, _signal, SKERRY_SIGNALLED, skerry_shmem_put_signal)
SKERRY_SIZED_PAIRS(SIZE_OR_MEM, _put, _signal_nbi, SKERRY_SIGNALLED, skerry_shmem_put_signal_nbi)

SKERRY_INLINE(void, shmem_signal_add, (uint64_t * sig_addr, uint64_t signal, int pe),
              { skerry_shmem_signal(SKERRY_ROUTINE, sig_addr, signal, SHMEM_SIGNAL_ADD, pe); })
SKERRY_INLINE(void, shmem_signal_set, (uint64_t * sig_addr, uint64_t signal, int pe),
              { skerry_shmem_signal(SKERRY_ROUTINE, sig_addr, signal, SHMEM_SIGNAL_SET, pe); })
SKERRY_INLINE(void, shmem_ctx_signal_add, (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe), {
    pe = skerry_pe_in_context(SKERRY_ROUTINE, ctx, pe);
    skerry_shmem_signal(SKERRY_ROUTINE, sig_addr, signal, SHMEM_SIGNAL_ADD, pe);
})
SKERRY_INLINE(void, shmem_ctx_signal_set, (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe), {
    pe = skerry_pe_in_context(SKERRY_ROUTINE, ctx, pe);
    skerry_shmem_signal(SKERRY_ROUTINE, sig_addr, signal, SHMEM_SIGNAL_SET, pe);
})
SKERRY_INLINE(uint64_t, shmem_signal_fetch, (const uint64_t *sig_addr),
              { return skerry_shmem_signal_fetch(SKERRY_ROUTINE, sig_addr); })

#ifdef SKERRY_READING_GENERICS
#define shmem_put_signal(...) SKERRY_FORM_OF_7(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) SKERRY_FORM_OF_7(__VA_ARGS__)(SKERRY_DISTINCT_RMA, _put_signal_nbi, __VA_ARGS__)

// With three arguments these macros call the C functions of the same names, which use the default context.
#define shmem_signal_add(...)                                                                                          \
    SKERRY_IF_EIGHT(shmem_ctx_signal_add, shmem_signal_add, ~, ~, ~, ~, __VA_ARGS__)(__VA_ARGS__)
#define shmem_signal_set(...)                                                                                          \
    SKERRY_IF_EIGHT(shmem_ctx_signal_set, shmem_signal_set, ~, ~, ~, ~, __VA_ARGS__)(__VA_ARGS__)
#endif

#ifdef SKERRY_READING_OVERLOADS
// These overloads have a context. Without a context the two routines are C functions of the same names.
inline __attribute__((always_inline)) void shmem_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal,
                                                            int pe) {
    shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}
inline __attribute__((always_inline)) void shmem_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal,
                                                            int pe) {
    shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}
#endif
