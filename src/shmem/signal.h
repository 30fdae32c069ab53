// SPDX-License-Identifier: BSD-3-Clause
// Defines the signalling operations (specification, section 9.8): a put that updates a signal word after its data, and
// operations on signal words. The signal is a store-release after the data, so a PE that sees the signal also sees the
// data.

//@ shmem_put_signal: shmem_TYPENAME_put_signal shmem_putSIZE_signal shmem_putmem_signal shmem_TYPENAME_put_signal_nbi shmem_putSIZE_signal_nbi shmem_putmem_signal_nbi
// Puts data to another PE and then updates a signal word there. A PE that sees the signal also sees the data.
//   dest, source, nelems, pe  as for shmem_put; nelems can be 0
//   sig_addr  symmetric address of the signal word
//   signal    the value to set or to add
//   sig_op    SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD
// Order: the signal does not show that earlier puts have arrived, unless shmem_fence is called before this routine.
// Source: OpenSHMEM 1.6, signaling, SHMEM_PUT_SIGNAL and SHMEM_PUT_SIGNAL_NBI.

//@ shmem_signal_add: shmem_signal_add shmem_signal_set
// Adds a value to a signal word of another PE, or sets the word to the value.
//   sig_addr  symmetric address of the signal word
//   signal    the value to add or to set
//   pe        rank in the world team; if the call has a context, rank in the context's team
// Source: OpenSHMEM 1.6, signaling, SHMEM_SIGNAL_ADD and SHMEM_SIGNAL_SET.

//@ shmem_signal_fetch: shmem_signal_fetch
// Returns the value of a signal word of this PE. The load is an acquire: the data of the put that set the value is
// visible.
//   sig_addr  address of the signal word
// Source: OpenSHMEM 1.6, signaling, SHMEM_SIGNAL_FETCH.

#define SKERRY_LIST_ONE(NAME, CHECK, POINTER, CONSTANT_POINTER, BYTES)                                                 \
    SKERRY_INLINE_PAIR(void, NAME, 7,                                                                                  \
                       (POINTER dest, CONSTANT_POINTER source, size_t nelems, uint64_t * sig_addr, uint64_t signal,    \
                        int sig_op, int pe),                                                                           \
                       {                                                                                               \
                           SKERRY_WHEN_CHECKING(                                                                       \
                               skerry_check_put_signal(__func__ + 1, dest, nelems, BYTES, sig_addr, sig_op, pe);       \
                               CHECK(__func__ + 1, dest, source, nelems, BYTES, pe))                                   \
                           skerry_put(dest, source, nelems *BYTES, pe);                                                \
                           skerry_signal_update(sig_addr, signal, sig_op, pe);                                         \
                       })
#define SKERRY_LIST(NAME, TYPE)                                                                                        \
    SKERRY_LIST_ONE(NAME##_put_signal, skerry_check_put, TYPE *, const TYPE *, sizeof(TYPE))                           \
    SKERRY_LIST_ONE(NAME##_put_signal_nbi, skerry_check_put_nbi, TYPE *, const TYPE *, sizeof(TYPE))
SKERRY_RMA_TYPES(SKERRY_LIST)
#undef SKERRY_LIST

#define SKERRY_LIST(BITS, BYTES)                                                                                       \
    SKERRY_LIST_ONE(put##BITS##_signal, skerry_check_put, void *, const void *, BYTES)                                 \
    SKERRY_LIST_ONE(put##BITS##_signal_nbi, skerry_check_put_nbi, void *, const void *, BYTES)
SKERRY_SIZES(SKERRY_LIST)
#undef SKERRY_LIST
SKERRY_LIST_ONE(putmem_signal, skerry_check_put, void *, const void *, 1)
SKERRY_LIST_ONE(putmem_signal_nbi, skerry_check_put_nbi, void *, const void *, 1)
#undef SKERRY_LIST_ONE

SKERRY_INLINE_PAIR(void, signal_add, 3, (uint64_t * sig_addr, uint64_t signal, int pe), {
    SKERRY_WHEN_CHECKING(skerry_check_signal(__func__ + 1, sig_addr, SHMEM_SIGNAL_ADD, pe))
    skerry_atomic_add_64(sig_addr, signal, pe);
})
SKERRY_INLINE_PAIR(void, signal_set, 3, (uint64_t * sig_addr, uint64_t signal, int pe), {
    SKERRY_WHEN_CHECKING(skerry_check_signal(__func__ + 1, sig_addr, SHMEM_SIGNAL_SET, pe))
    skerry_atomic_store_64(sig_addr, signal, pe);
})
SKERRY_INLINE(uint64_t, shmem_signal_fetch, (const uint64_t *sig_addr), {
    SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "sig_addr", sig_addr, sizeof *sig_addr, skerry_my_pe()))
    return SKERRY_LOAD_ACQUIRE(sig_addr);
})
