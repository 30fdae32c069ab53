// SPDX-License-Identifier: BSD-3-Clause
// Defines the bodies of the routines that wait for or test several words in one call. Also defines the symbols of all
// routines in wait.h. A scan polls each word that the status array does not exclude. The scan finds the words that
// satisfy their comparison.
#include "internal.h"

// State from which scan_begin computes the index at which a scan for any or some words begins. The index differs from
// call to call. So a word that stays satisfied does not hide the other words (fairness, specification 9.9). Why no
// counter:
// - With two arrays in turn, each array would get only every second value of a counter.
// - In each call the state grows by 2^32 divided by the golden ratio. The growth spreads the indices evenly, also for
//   several arrays in turn.
static SKERRY_PER_THREAD uint32_t rotation;

static size_t scan_begin(size_t count) {
    rotation += 0x9e3779b9u;
    return count ? (size_t)(((uint64_t)rotation * (count & UINT32_MAX)) >> 32) : 0;
}

#define INLINED __attribute__((always_inline))

static inline INLINED bool is_left_out(const int *status, size_t at) {
    return status && status[at] != 0;
}

// The words that a routine waits for or tests, and the comparisons that they must satisfy.
struct comparisons {
    const void *words;
    size_t count;
    const int *status; // NULL, or words for which it is not zero are left out
    int compare;
    const void *values;
    bool is_vector; // true: a value for each word; false: one value for all words
    bool is_signed;
    size_t size; // size of a word and of a value in bytes: 4 or 8
};

// The functions below that have the size of a word as an argument are inlined into a caller that passes a constant. So
// their loops do not test the size. The functions get a copy of struct comparisons, not a pointer: the compiler can
// then keep its fields in registers.
static inline INLINED bool is_satisfied(struct comparisons all, size_t at, size_t size) {
    const char *value = (const char *)all.values + (all.is_vector ? at * size : 0);
    return skerry_satisfies((const char *)all.words + at * size, all.compare, value, size, all.is_signed);
}

// Polls each word that `status` does not exclude once, beginning at index `start`. Returns the number of words that
// satisfy the comparison. Stores three results:
// - in *first, the index of the first such word in the order of the scan,
// - in `indices`, if it is not NULL, the indices of all such words,
// - in *included, the number of words that were polled.
static inline INLINED size_t scan_words(struct comparisons all, size_t start, size_t *indices, size_t *first,
                                        size_t *included, size_t size) {
    size_t found = 0, seen = 0;
    for (size_t i = 0; i < all.count; i++) {
        size_t at = start + i < all.count ? start + i : start + i - all.count;
        if (is_left_out(all.status, at)) continue;
        seen++;
        if (!is_satisfied(all, at, size)) continue;
        if (found == 0) *first = at;
        if (indices) indices[found] = at;
        found++;
    }
    // Stored after the loop. The loop must not store to memory, because the simulator reports a deadlock only if no
    // memory changes between polls. For the same reason the loop calls no function: the compiler could store an index
    // around a call.
    *included = seen;
    return found;
}

static size_t scan(const struct comparisons *all, size_t start, size_t *indices, size_t *first, size_t *included) {
    return all->size == 8 ? scan_words(*all, start, indices, first, included, 8)
                          : scan_words(*all, start, indices, first, included, 4);
}

// Waits until at least one word satisfies its comparison. If `wait` is false, polls each word once. Returns the number
// of words that satisfy their comparison. Stores their indices in `indices` if it is not NULL. Stores the index of the
// first such word in *first.
static size_t find_some(const struct comparisons *all, size_t *indices, size_t *first, bool wait) {
    SKERRY_PAUSE(pause);
    size_t start = scan_begin(all->count);
    for (;;) {
        size_t included;
        size_t found = scan(all, start, indices, first, &included);
        if (found || !included) return found;
        if (!wait) return (size_t)skerry_test_outcome(0);
        skerry_pause(&pause, skerry_my_pe());
    }
}

static size_t find_any(const struct comparisons *all, bool wait) {
    size_t first;
    return find_some(all, NULL, &first, wait) ? first : SIZE_MAX;
}

// Waits for one word after the other, and does not poll a word again after it satisfied its comparison.
static inline INLINED void wait_for_words(struct comparisons all, size_t size) {
    for (size_t i = 0; i < all.count; i++) {
        if (is_left_out(all.status, i)) continue;
        SKERRY_PAUSE(pause);
        while (!is_satisfied(all, i, size)) skerry_pause(&pause, skerry_my_pe());
    }
}

static void wait_for_each(const struct comparisons *all) {
    if (all->size == 8) wait_for_words(*all, 8);
    else wait_for_words(*all, 4);
}

// -- The bodies of the table -------------------------------------------------------------------------------------------

// The bodies below are inlined into the routine for each type. A body only checks the arguments and passes them to a
// function above, which all types share.
static inline struct comparisons begin(const char *routine, const void *words, size_t count, const int *status,
                                       int compare, const void *values, bool is_vector, size_t size, bool is_signed) {
    SKERRY_WHEN_CHECKING(skerry_check_wait_many(routine, words, size, count, compare, values, is_vector, status))
    return (struct comparisons){skerry_poll_address(words), count, status, compare, values, is_vector, is_signed, size};
}

static inline void wait_until_all(const char *routine, const void *words, size_t count, const int *status, int compare,
                                  const void *values, bool is_vector, size_t size, bool is_signed) {
    struct comparisons all = begin(routine, words, count, status, compare, values, is_vector, size, is_signed);
    wait_for_each(&all);
}

static inline int test_all(const char *routine, const void *words, size_t count, const int *status, int compare,
                           const void *values, bool is_vector, size_t size, bool is_signed) {
    struct comparisons all = begin(routine, words, count, status, compare, values, is_vector, size, is_signed);
    size_t first, included;
    size_t found = scan(&all, 0, NULL, &first, &included);
    return skerry_test_outcome(found == included);
}

static inline size_t wait_until_any(const char *routine, const void *words, size_t count, const int *status,
                                    int compare, const void *values, bool is_vector, size_t size, bool is_signed) {
    struct comparisons all = begin(routine, words, count, status, compare, values, is_vector, size, is_signed);
    return find_any(&all, true);
}

static inline size_t test_any(const char *routine, const void *words, size_t count, const int *status, int compare,
                              const void *values, bool is_vector, size_t size, bool is_signed) {
    struct comparisons all = begin(routine, words, count, status, compare, values, is_vector, size, is_signed);
    return find_any(&all, false);
}

static inline size_t wait_until_some(const char *routine, const void *words, size_t count, size_t *indices,
                                     const int *status, int compare, const void *values, bool is_vector, size_t size,
                                     bool is_signed) {
    size_t first;
    SKERRY_WHEN_CHECKING(skerry_check_indices(routine, indices, count))
    struct comparisons all = begin(routine, words, count, status, compare, values, is_vector, size, is_signed);
    return find_some(&all, indices, &first, true);
}

static inline size_t test_some(const char *routine, const void *words, size_t count, size_t *indices, const int *status,
                               int compare, const void *values, bool is_vector, size_t size, bool is_signed) {
    size_t first;
    SKERRY_WHEN_CHECKING(skerry_check_indices(routine, indices, count))
    struct comparisons all = begin(routine, words, count, status, compare, values, is_vector, size, is_signed);
    return find_some(&all, indices, &first, false);
}

#define SKERRY_READING_SYMBOLS
#include "api.h"
#include "wait.h"
