// SPDX-License-Identifier: BSD-3-Clause
// Declares the tuning values: settings whose best value differs between processors. skerry-tune (launch/tune) measures
// them once on each processor model. The launcher passes the measured values to all PEs of a job, so that all PEs use
// the same values. If nothing was measured, the library guesses (skerry_guess_tuning). The values determine:
// * the loop that copies memory, and the sizes from which a copy uses a string instruction or non-temporal stores
// * how waits poll
// * how the sender and the reader of a queue keep from accessing the same cache lines at the same time
#ifndef SKERRY_MACHINE_LINUX_TUNING_H
#define SKERRY_MACHINE_LINUX_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The choice of how a process copies memory. Sizes are in bytes. If stream_from is UINT64_MAX, non-temporal stores are
// never used, because no block is so long.
struct skerry_copy_choice {
    // Name of the vector loop: sse2, avx2, avx512 or avx512_wide on x86-64. Empty if there is only one loop.
    char loop[16];
    uint64_t string_from;  // blocks of string_from <= bytes < string_below are copied by a string instruction
    uint64_t string_below; // if it is at most string_from, no block is copied by a string instruction
    uint64_t stream_from;  // blocks of this number of bytes or more are copied by non-temporal stores
    uint64_t cache_bytes;  // a collective that reads and writes more bytes copies its blocks by non-temporal stores
    // 1: a string instruction is used even if source and destination are at different offsets in their cache lines
    uint32_t string_unaligned;
};

// Largest values that skerry_parse_tuning accepts.
#define SKERRY_POLL_PAUSES_MOST 64
#define SKERRY_LINES_AHEAD_MOST 64
#define SKERRY_MOMENTS_BACK_MOST 4096

struct skerry_tuning {
    struct skerry_copy_choice copy;
    uint32_t poll_pauses;       // pause instructions between two polls of a wait
    uint32_t queue_lines_ahead; // how many cache lines ahead of its slot a stream's only sender prefetches
    // A reader that has read all messages of a stream (a queue with one sender) calls skerry_relax this many times
    // before its next poll.
    uint32_t queue_moments_back;
};

#define SKERRY_TUNING_TEXT_BYTES 320

// Reads "NAME=VALUE NAME=VALUE ..." into `tuning`. Members that are not named keep their values. Each NAME is the name
// of a member, and `copy` stands for copy.loop. Returns NULL if all words are valid. If a word is not valid, leaves
// `tuning` unchanged and returns the first such word. A word is not valid if its name is not known or its value is too
// large.
const char *skerry_parse_tuning(const char *text, struct skerry_tuning *tuning);

// Writes all of `tuning` into `text`, in the form that skerry_parse_tuning reads.
void skerry_format_tuning(const struct skerry_tuning *tuning, char text[SKERRY_TUNING_TEXT_BYTES]);

#endif
