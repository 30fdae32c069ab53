// SPDX-License-Identifier: BSD-3-Clause
// As zero_length, with checking: nothing of it is a mistake.
// check: yes
// pes: 1 3
#include "zero_length.c"
