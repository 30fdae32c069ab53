// SPDX-License-Identifier: BSD-3-Clause
// In a file of their own: to whoever uses them, arrays for each PE are of unknown length.
#include "work.h"

_Alignas(uint64_t) char skerry_work[SKERRY_WORK_BYTES];
SKERRY_EACH_PE(block_sizes) uint32_t skerry_block_sizes[1];
