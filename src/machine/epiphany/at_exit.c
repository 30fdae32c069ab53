// SPDX-License-Identifier: BSD-3-Clause
// Registers functions that are called at exit. This function has a file of its own, because it links the C library's
// list of exit functions into a program.
#include "internal.h"

void skerry_at_exit(void (*function)(void)) {
    atexit(function);
}
