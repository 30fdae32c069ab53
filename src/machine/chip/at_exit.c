// SPDX-License-Identifier: BSD-3-Clause
// Registers a function that is called at exit. skerry_at_exit needs the C library's code for exit functions. It has a
// file of its own, so that only programs that use skerry_at_exit contain that code.
#include "chip.h"

void skerry_at_exit(void (*function)(void)) {
    atexit(function);
}
