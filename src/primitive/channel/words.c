// SPDX-License-Identifier: BSD-3-Clause
// The words of the channels, in a file of their own: to whoever uses them they are arrays of unknown length.
#include "../channel.h"

SKERRY_EACH_PE(incoming) struct skerry_incoming skerry_incoming[1];
SKERRY_EACH_PE(sent) skerry_word skerry_sent[1];
