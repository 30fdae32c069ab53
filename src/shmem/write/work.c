// SPDX-License-Identifier: BSD-3-Clause
// In a file of its own: to whoever uses it, an array for each PE is of unknown length.
#include "work.h"

SKERRY_EACH_PE(block_sizes) uint32_t skerry_block_sizes[1];
