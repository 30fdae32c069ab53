// SPDX-License-Identifier: BSD-3-Clause
// Declares the checks that `oshcc --check` and SKERRY_CHECK=1 switch on. Only the library's own functions call the
// checks: an inlined fast path has no checks. A check that fails prints an error message and ends the job. The message
// names `routine`, the routine that the program called.
#ifndef SKERRY_SHMEM_CHECK_H
#define SKERRY_SHMEM_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../primitive/checking.h"

struct skerry_context;

struct skerry_team;

// Checks that the library is initialised.
SKERRY_PRIVATE void skerry_check_running(const char *routine);
// Checks that this thread is allowed to wait. A thread that runs a function for another PE (remote procedure call) must
// not wait.
SKERRY_PRIVATE void skerry_check_may_wait(const char *routine);
// These functions check that a handle is a context or a team that the library made. The functions also accept a context
// or team that the program has destroyed.
SKERRY_PRIVATE void skerry_check_is_context(const char *routine, const struct skerry_context *context);
SKERRY_PRIVATE void skerry_check_is_team(const char *routine, const struct skerry_team *team);
// Checks that the specification defines all bits of `options`, the options of a new context.
SKERRY_PRIVATE void skerry_check_context_options(const char *routine, long options);
// Checks that the context exists and that this thread is allowed to use it. The context's team must have a PE of rank
// `pe`.
SKERRY_PRIVATE void skerry_check_context(const char *routine, const struct skerry_context *context, int pe);
// These functions check a put to PE `pe`, or a get from it, of `count` elements of `size` bytes. `pe` must be a rank.
// The remote side must be an aligned symmetric range inside one object. Source and destination must not overlap.
SKERRY_PRIVATE void skerry_check_put(const char *routine, const void *dest, const void *source, size_t count,
                                     size_t size, int pe);
SKERRY_PRIVATE void skerry_check_get(const char *routine, const void *dest, const void *source, size_t count,
                                     size_t size, int pe);
// Checks a get of one element of `size` bytes, which the routine returns as its value.
SKERRY_PRIVATE void skerry_check_get_value(const char *routine, const void *source, size_t size, int pe);
// These functions check a non-blocking put or get, and record the operation until the next quiet. If
// skerry_check_get_nbi returns true, the next quiet will deliver the data. The caller must then not perform the get.
SKERRY_PRIVATE void skerry_check_put_nbi(const char *routine, const void *dest, const void *source, size_t count,
                                         size_t size, int pe);
SKERRY_PRIVATE bool skerry_check_get_nbi(const char *routine, void *dest, const void *source, size_t count, size_t size,
                                         int pe);
// Checks that argument `fetch` of a non-blocking fetching atomic is memory of this PE.
SKERRY_PRIVATE void skerry_check_fetch(const char *routine, const void *fetch, size_t size);
// Saves the value of `size` bytes at `fetch`, which a fetching atomic has stored. Then overwrites the value with a
// pattern. The next quiet restores the value.
SKERRY_PRIVATE void skerry_check_fetch_nbi(const char *routine, void *fetch, size_t size);
// These functions check a strided put or get of `count` blocks of `block` elements of `size` bytes. `dst` and `sst` are
// the distances between the starts of successive blocks, in elements.
SKERRY_PRIVATE void skerry_check_iput(const char *routine, const void *dest, const void *source, ptrdiff_t dst,
                                      ptrdiff_t sst, size_t size, size_t block, size_t count, int pe);
SKERRY_PRIVATE void skerry_check_iget(const char *routine, const void *dest, const void *source, ptrdiff_t dst,
                                      ptrdiff_t sst, size_t size, size_t block, size_t count, int pe);
// Checks a word of `size` bytes that an atomic, a lock or a signal uses: `pe` is a rank, and the word is symmetric and
// aligned. `name` is the name of the argument.
SKERRY_PRIVATE void skerry_check_word(const char *routine, const char *name, const void *word, size_t size, int pe);
// The same for a routine that also uses the word in this PE's memory. So a global address must be one of this PE.
SKERRY_PRIVATE void skerry_check_own_word(const char *routine, const char *name, const void *word, size_t size, int pe);
SKERRY_PRIVATE void skerry_check_signal(const char *routine, const void *address, int operation, int pe);
// Checks the signal word `address` and the signal operation of a put of `count` elements of `size` bytes to `dest`.
SKERRY_PRIVATE void skerry_check_put_signal(const char *routine, const void *dest, size_t count, size_t size,
                                            const void *address, int operation, int pe);
// Checks a word of this PE that a routine waits for or tests, and checks that `compare` is a valid comparison.
SKERRY_PRIVATE void skerry_check_wait(const char *routine, const void *word, size_t size, int compare);
// Checks the arguments of the wait and test routines for several words. `values` has one value for each word if
// `is_vector`, else one value for all words. `status` can be NULL.
SKERRY_PRIVATE void skerry_check_wait_many(const char *routine, const void *words, size_t size, size_t count,
                                           int compare, const void *values, bool is_vector, const int *status);
// Records that this PE's program has called shmemx_global. So the routines accept global addresses.
SKERRY_PRIVATE void skerry_check_note_global(void);
// Checks that `indices` can hold `count` indices.
SKERRY_PRIVATE void skerry_check_indices(const char *routine, const size_t *indices, size_t count);
// Checks that argument `name`, where the routine stores its result, is not NULL.
SKERRY_PRIVATE void skerry_check_result(const char *routine, const char *name, const void *result);
// Checks argument `name`, a configuration. `mask` selects the members of the configuration that the routine uses. If
// `mask` is 0, the configuration can be NULL.
SKERRY_PRIVATE void skerry_check_config(const char *routine, const char *name, const void *config, long mask);
// Checks that all `count` elements of `pes` are ranks in the context's team, or in the job if `context` is NULL.
SKERRY_PRIVATE void skerry_check_pes(const char *routine, const struct skerry_context *context, const int *pes,
                                     size_t count);
// Completes the recorded non-blocking operations of the context with which the program has called `routine`: delivers
// the data of gets and fetches, and checks that the program has not changed the source of a put.
SKERRY_PRIVATE void skerry_check_quiet(const char *routine);

#endif
