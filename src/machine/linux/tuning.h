// SPDX-License-Identifier: BSD-3-Clause
// What is best on one processor and not on another: which loop copies, from which sizes on a copy uses a string instruction or
// non-temporal stores, how waits poll, how a queue's ends keep out of each other's way. skerry-tune (tune/) measures it once on each processor model, the
// launcher hands it to all PEs of a job, so that they agree, and the table of this library (skerry_guess_tuning) serves where
// nothing was measured.
#ifndef SKERRY_MACHINE_LINUX_TUNING_H
#define SKERRY_MACHINE_LINUX_TUNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sizes are bytes. UINT64_MAX stands for "no size".
struct skerry_copy_choice {
    char loop
        [16]; // name of the vector loop: sse2, avx2, avx512 or avx512_wide on x86-64; empty where there is nothing to choose
    uint64_t string_from;  // blocks of string_from <= bytes < string_below move by a string instruction
    uint64_t string_below; // at most string_from: none do
    uint64_t stream_from;  // blocks of so many bytes and more move by non-temporal stores
    uint64_t cache_bytes;  // the blocks of a collective that reads and writes more bytes move by non-temporal stores
    uint32_t string_unaligned; // 1: by a string instruction also where source and destination differ modulo a line
};

// The largest values that are taken.
#define SKERRY_POLL_PAUSES_MOST 64
#define SKERRY_LINES_AHEAD_MOST 64
#define SKERRY_MOMENTS_BACK_MOST 4096

struct skerry_tuning {
    struct skerry_copy_choice copy;
    uint32_t poll_pauses;       // pause instructions between two polls of a wait
    uint32_t queue_lines_ahead; // lines that the only sender of a stream fetches for writing before it gets there
    uint32_t
        queue_moments_back; // skerry_relax calls for which a reader that has caught up with a stream leaves its lines alone
};

#define SKERRY_TUNING_TEXT_BYTES 320

// Reads "NAME=VALUE NAME=VALUE ..." over what `tuning` holds; names are those of the members (copy=LOOP for copy.loop). Returns NULL, or
// the first word that is not such a pair or has too large a value; `tuning` is then unchanged.
const char *skerry_parse_tuning(const char *text, struct skerry_tuning *tuning);

// Writes all of `tuning` in that form into `text`.
void skerry_format_tuning(const struct skerry_tuning *tuning, char text[SKERRY_TUNING_TEXT_BYTES]);

#endif
