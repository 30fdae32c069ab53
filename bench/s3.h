// SPDX-License-Identifier: BSD-3-Clause
// Defines what the experiments of Hascoet et al. 2017, section 6, share. A PE takes the place of a compute cluster.
// s3_data.h and s3_words.h have the work of the PEs. s3.c times this work on this machine; chip/aos_data.c and
// chip/aos_words.c time it on a chip.
#ifndef SKERRY_BENCH_S3_H
#define SKERRY_BENCH_S3_H

#include <aos.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef S3_PES_MOST
#define S3_PES_MOST 64
#endif

enum {
    neighbour_id = 1000, // PE p adds p to this id, to word_id and to job_id
    word_id = 2000,
    job_id = 3000,
    memory_id = 4000, // first memory that no PE owns; the second memory has the id 4001
    pe_memory_id = 4002,
    answer_id = 4003
};

static int s3_me, s3_pes;
static long failures;

static void must(int outcomes) {
    failures += outcomes != AOS_SUCCESS;
}

static int right_of(int pe) {
    return pe + 1 < s3_pes ? pe + 1 : 0;
}

static void s3_begin(void) {
    must(aos_init(0));
    s3_me = aos_my_pe();
    s3_pes = aos_pe_count();
}

#endif
