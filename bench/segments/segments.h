// SPDX-License-Identifier: BSD-3-Clause
// Defines the common part of the experiments of Hascoet et al. 2017, section 6: ids of segments (memory that a PE has
// published), and PE numbers. A PE takes the place of a compute cluster of that paper. segments_data.h and
// segments_words.h have the work of the PEs. segments.c times this work on this machine; ../chip/aos_data.c and
// ../chip/aos_words.c time it on a chip.
#ifndef SKERRY_BENCH_SEGMENTS_H
#define SKERRY_BENCH_SEGMENTS_H

#include <aos.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SEGMENTS_PES_MOST
#define SEGMENTS_PES_MOST 64
#endif

enum {
    neighbour_id = 1000, // PE p adds p to this id, to word_id and to job_id
    word_id = 2000,
    job_id = 3000,
    memory_id = 4000, // first memory that no PE owns; the second memory has the id 4001
    pe_memory_id = 4002,
    answer_id = 4003
};

static int segments_me, segments_pes;
static long failures;

static void must(int outcomes) {
    failures += outcomes != AOS_SUCCESS;
}

static int right_of(int pe) {
    return pe + 1 < segments_pes ? pe + 1 : 0;
}

static void segments_begin(void) {
    must(aos_init(0));
    segments_me = aos_my_pe();
    segments_pes = aos_pe_count();
}

#endif
