// SPDX-License-Identifier: BSD-3-Clause
// Defines skerry_block_sizes. The array has one element here, and the linker gives it one element for each PE
// (SKERRY_EACH_PE). The array has a file of its own, so that the code that uses it sees an array of unknown length. If
// that code saw one element, the compiler could assume that every index is 0.
#include "work.h"

SKERRY_EACH_PE(block_sizes) uint32_t skerry_block_sizes[1];
