// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for copies that an engine does while this PE computes (SKERRY_BEGUN_COPIES).
// Unlike a non-blocking copy of pe.h, each of these copies has a word that says when it has ended. So a program can wait
// for one copy while later copies are still under way.
#ifndef SKERRY_MACHINE_CONTRACT_BEGUN_H
#define SKERRY_MACHINE_CONTRACT_BEGUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// SKERRY_BEGUN_COPIES: 1 if the machine has such an engine, else 0.
#ifndef SKERRY_BEGUN_COPIES
#error "the machine does not define SKERRY_BEGUN_COPIES"
#endif

#if SKERRY_BEGUN_COPIES

// Blocks at constant distances. Block i goes from source + i * source_stride to dest + i * dest_stride. Sizes and strides
// are in bytes. `blocks` is at least 1.
struct skerry_blocks {
    void *dest;
    const void *source;
    ptrdiff_t dest_stride;
    ptrdiff_t source_stride;
    size_t block_bytes;
    size_t blocks;
};

// The end of a copy: the copy has ended when the signed word `*word` of this PE is at least `value`. The word never
// becomes smaller, so this stays true.
struct skerry_begun {
    const volatile int64_t *word;
    int64_t value;
};

// Begin a copy, and return possibly before it has ended. A put copies from memory of this PE to the global address `dest`
// of PE `pe`, a get copies from the global address `source` of PE `pe` to memory of this PE. If `pe` is -1, the address is
// in memory that no PE owns (skerry_is_outside).
// * Return true if the copy was begun, and store its end to `*begun`. Return false, and copy nothing, if a copy by this PE
//   itself is better: few bytes, or a shape that the engine cannot copy.
// * A put has ended when the program is allowed to change the source. A get has ended when the data is at `dest`.
// * Puts end in the order of the calls.
// * skerry_fence and skerry_quiet treat a copy that has begun as they treat a copy by skerry_put_nbi or skerry_get_nbi.
// * While the engine has no room for another copy, a call waits. It waits for the engine only, never for another PE,
//   except for the answer to this PE's previous get.
bool skerry_begin_put(const struct skerry_blocks *copy, int pe, struct skerry_begun *begun);
bool skerry_begin_get(const struct skerry_blocks *copy, int pe, struct skerry_begun *begun);

// Returns true if a put that skerry_begin_put has begun has not ended. Stores the end of the last such put to `*begun`. So
// a put that this PE copies itself can also end in order.
bool skerry_has_begun_puts(struct skerry_begun *begun);

// Each machine with such an engine defines these macros.
//     SKERRY_PUT_WORTH_BEGINNING  smallest numbers of bytes of a put and of a get that the engine does, if they are to or
//     SKERRY_GET_WORTH_BEGINNING  from memory of a PE. To begin a smaller copy is allowed, but returns false
//     SKERRY_LINK(NAME)           a statement without instructions: makes the linker add the library's file that defines
//                                 the function NAME to every program that contains the statement
//     SKERRY_NAMED(NAME)         attribute at the end of a declaration: the function is the library's function NAME

#endif
#endif
