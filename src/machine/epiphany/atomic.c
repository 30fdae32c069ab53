// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions of atomic.h as ordinary functions, for callers in which the compiler does not inline them.
#pragma GCC optimize "O2"
#include "internal.h"

uint32_t skerry_lock_32;
uint32_t skerry_lock_64;

SKERRY_EPIPHANY_ATOMICS(, 32)
SKERRY_EPIPHANY_ATOMICS(, 64)
