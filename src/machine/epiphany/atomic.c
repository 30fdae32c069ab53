// SPDX-License-Identifier: BSD-3-Clause
// Defines the atomic operations of atomic.h a second time, as ordinary functions. A compiler that does not inline an
// operation calls these functions.
#pragma GCC optimize "O2"
#include "internal.h"

uint32_t skerry_lock_32;
uint32_t skerry_lock_64;

SKERRY_EPIPHANY_ATOMICS(, 32)
SKERRY_EPIPHANY_ATOMICS(, 64)
