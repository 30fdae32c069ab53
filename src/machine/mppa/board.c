// SPDX-License-Identifier: BSD-3-Clause
// Defines the memory of PE 0 that all programs of a job find at the same address.
#include "jobs.h"

#define BYTES 0x600

SKERRY_MPPA_COMMON("board") _Alignas(64) char skerry_board[BYTES];

void *skerry_programs_memory(size_t *bytes) {
    *bytes = sizeof skerry_board;
    return skerry_global(skerry_board, 0);
}
