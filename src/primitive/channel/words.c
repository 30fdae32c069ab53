// SPDX-License-Identifier: BSD-3-Clause
// Defines the counts of the channels (one-way connections between two PEs): the numbers of signals that were sent,
// received and waited for. Each array has one element here. SKERRY_EACH_PE makes the linker reserve one element for
// each PE. The arrays have a file of their own, so that all other files see arrays of unknown length.
#include "../channel.h"

SKERRY_EACH_PE(incoming) struct skerry_incoming skerry_incoming[1];
SKERRY_EACH_PE(sent) skerry_word skerry_sent[1];
