// SPDX-License-Identifier: BSD-3-Clause
// Defines the counts of the channels: the numbers of signals that were sent, received and waited for. Each array has
// one element here, and one element for each PE after linking (SKERRY_EACH_PE). The arrays have a file of their own
// because all other files declare them as arrays of unknown length.
#include "../channel.h"

SKERRY_EACH_PE(incoming) struct skerry_incoming skerry_incoming[1];
SKERRY_EACH_PE(sent) skerry_word skerry_sent[1];
