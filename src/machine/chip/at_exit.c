// SPDX-License-Identifier: BSD-3-Clause
// Registers a function that is called at exit. skerry_at_exit has a file of its own, because it needs the C library's
// code for exit functions. So only programs that use skerry_at_exit contain that code.
#include "chip.h"

void skerry_at_exit(void (*function)(void)) {
    atexit(function);
}
