// SPDX-License-Identifier: BSD-3-Clause
// Declares the operations of this PE on a far PE: a PE of another node, whose memory this process does not map. The
// inline functions of machine.h call these functions if the PE is not near. Every function ends the job with an error
// message if `pe` is not the number of a PE.
#ifndef SKERRY_MACHINE_LINUX_FAR_H
#define SKERRY_MACHINE_LINUX_FAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../defaults/far_operation.h"

#define SKERRY_PER_THREAD __thread // this header is for C++ too, so not _Thread_local

// Executes an atomic operation on the word of `bytes` bytes (4 or 8) at a symmetric address. `expected` is for
// compare-swap only. An operation without a result returns 0.
uint64_t skerry_far_atomic(enum skerry_far_operation operation, unsigned bytes, const volatile void *word,
                           uint64_t value, uint64_t expected, int pe);

// 1 if this PE has ever started an operation on a far PE. Then skerry_quiet and skerry_fence call the functions below,
// which wait for these operations, or order them. The word is never set to 0 again, because another thread can have
// started operations that are not complete. Threads share the word, so all accesses are atomic. Relaxed order is enough:
// a thread sees its own store, and a program that lets one thread complete the operations of another synchronises the two
// threads, for example by a lock or by joining.
extern uint32_t skerry_has_far_operations;
#define SKERRY_HAS_FAR_OPERATIONS (__atomic_load_n(&skerry_has_far_operations, __ATOMIC_RELAXED) != 0)
void skerry_far_quiet(void);
void skerry_far_fence(void);

// Number of the context to which this thread's operations on far PEs belong. A context groups operations, so that a
// thread can wait for some of them only (contract/far.h).
extern SKERRY_PER_THREAD uint32_t skerry_far_context;
void skerry_far_quiet_of(uint32_t context);
void skerry_far_fence_of(uint32_t context);

// Copy to or from a far PE (a PE of another node), as skerry_put, skerry_get and their strided forms do
// (contract/pe.h).
void skerry_far_put(void *dest, const void *source, size_t bytes, int pe);
void skerry_far_get(void *dest, const void *source, size_t bytes, int pe);
void skerry_far_put_nbi(void *dest, const void *source, size_t bytes, int pe);
void skerry_far_get_nbi(void *dest, const void *source, size_t bytes, int pe);
void skerry_far_put_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks, int pe);
void skerry_far_get_strided(void *dest, const void *source, ptrdiff_t dest_stride, ptrdiff_t source_stride,
                            size_t block_bytes, size_t blocks, int pe);

// Copies data to a PE of any node, and then changes the word `signal` of that PE (contract/far.h).
void skerry_put_and_signal(void *dest, const void *source, size_t bytes, uint64_t *signal, uint64_t value, bool adds,
                           int pe);

// Return the number of nodes, the node of a PE, and the first PE of a node (contract/far.h).
int skerry_node_count(void);
int skerry_node_of(int pe);
int skerry_node_first(int node);

// Gets the word of up to 16 bytes at `source` of PE `pe`. Returns the address of a copy of this word. The copy belongs
// to the calling thread and is valid until the thread's next call of this function.
const void *skerry_far_load(const volatile void *source, size_t bytes, int pe);

#endif
