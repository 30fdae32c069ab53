// SPDX-License-Identifier: BSD-3-Clause
// The checks behind `oshcc --check` and SKERRY_CHECK=1. Only the library's own symbols call them: an inlined fast path
// has none. Each diagnoses one wrong use with one line and ends the job.
#ifndef SKERRY_SHMEM_CHECK_H
#define SKERRY_SHMEM_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../primitive/checking.h"

struct skerry_context;

struct skerry_team;

// The library is initialised.
SKERRY_PRIVATE void skerry_check_running(const char *routine);
// This thread may wait: it does not run a function for another PE.
SKERRY_PRIVATE void skerry_check_may_wait(const char *routine);
// The handle is one that the library gave out, whether or not what it names still exists.
SKERRY_PRIVATE void skerry_check_is_context(const char *routine, const struct skerry_context *context);
SKERRY_PRIVATE void skerry_check_is_team(const char *routine, const struct skerry_team *team);
// A new context's options are ones that there are.
SKERRY_PRIVATE void skerry_check_context_options(const char *routine, long options);
// The context exists, may be used by this thread, and names PE `pe` of its team.
SKERRY_PRIVATE void skerry_check_context(const char *routine, const struct skerry_context *context, int pe);
// A put to (get from) PE `pe` of `count` elements of `size` bytes: rank, symmetric range inside one object, alignment,
// the two sides not overlapping.
SKERRY_PRIVATE void skerry_check_put(const char *routine, const void *dest, const void *source, size_t count,
                                     size_t size, int pe);
SKERRY_PRIVATE void skerry_check_get(const char *routine, const void *dest, const void *source, size_t count,
                                     size_t size, int pe);
// A get of one element that is returned.
SKERRY_PRIVATE void skerry_check_get_value(const char *routine, const void *source, size_t size, int pe);
// Non-blocking ones. True: the check has taken the get over and delivers only at the next quiet.
SKERRY_PRIVATE void skerry_check_put_nbi(const char *routine, const void *dest, const void *source, size_t count,
                                         size_t size, int pe);
SKERRY_PRIVATE bool skerry_check_get_nbi(const char *routine, void *dest, const void *source, size_t count, size_t size,
                                         int pe);
// A non-blocking fetching atomic: `fetch` is memory of this PE.
SKERRY_PRIVATE void skerry_check_fetch(const char *routine, const void *fetch, size_t size);
// After it: takes the value of `size` bytes away from `fetch` until the next quiet.
SKERRY_PRIVATE void skerry_check_fetch_nbi(const char *routine, void *fetch, size_t size);
// Strided accesses: `count` blocks of `block` elements of `size` bytes; strides between blocks in elements.
SKERRY_PRIVATE void skerry_check_iput(const char *routine, const void *dest, const void *source, ptrdiff_t dst,
                                      ptrdiff_t sst, size_t size, size_t block, size_t count, int pe);
SKERRY_PRIVATE void skerry_check_iget(const char *routine, const void *dest, const void *source, ptrdiff_t dst,
                                      ptrdiff_t sst, size_t size, size_t block, size_t count, int pe);
// A word of `size` bytes that an atomic, a lock or a signal names: rank, symmetric, aligned. `name` is the argument's.
SKERRY_PRIVATE void skerry_check_word(const char *routine, const char *name, const void *word, size_t size, int pe);
SKERRY_PRIVATE void skerry_check_signal(const char *routine, const void *address, int operation, int pe);
// The signal of a put of `count` elements of `size` bytes to `dest`.
SKERRY_PRIVATE void skerry_check_put_signal(const char *routine, const void *dest, size_t count, size_t size,
                                            const void *address, int operation, int pe);
// Words of this PE that are waited for or tested, and the comparison.
SKERRY_PRIVATE void skerry_check_wait(const char *routine, const void *word, size_t size, int compare);
// The same for the forms with several words: a value for each word if `is_vector`; `status` may be NULL.
SKERRY_PRIVATE void skerry_check_wait_many(const char *routine, const void *words, size_t size, size_t count,
                                           int compare, const void *values, bool is_vector, const int *status);
// Room for `count` indices.
SKERRY_PRIVATE void skerry_check_indices(const char *routine, const size_t *indices, size_t count);
// Argument `name`, where the routine stores its result, is not NULL.
SKERRY_PRIVATE void skerry_check_result(const char *routine, const char *name, const void *result);
// Argument `name`, of which `mask` says which parts count, is not NULL if some do.
SKERRY_PRIVATE void skerry_check_config(const char *routine, const char *name, const void *config, long mask);
// PEs of the context's team; NULL: of the job.
SKERRY_PRIVATE void skerry_check_pes(const char *routine, const struct skerry_context *context, const int *pes,
                                     size_t count);
// A quiet: delivers what non-blocking operations have left open.
SKERRY_PRIVATE void skerry_check_quiet(const char *routine);

#endif
