// SPDX-License-Identifier: BSD-3-Clause
// The counts of the channels: one element here, one for each PE after linking (SKERRY_EACH_PE). They have a file of
// their own because all other files declare them as arrays of unknown length.
#include "../channel.h"

SKERRY_EACH_PE(incoming) struct skerry_incoming skerry_incoming[1];
SKERRY_EACH_PE(sent) skerry_word skerry_sent[1];
