// SPDX-License-Identifier: BSD-3-Clause
// Registers functions that are called at exit. This function has a file of its own, because it needs the C library's
// code for exit functions. So only programs that use this function contain that code.
#include "chip.h"

void skerry_at_exit(void (*function)(void)) {
    atexit(function);
}
