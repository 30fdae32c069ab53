// SPDX-License-Identifier: BSD-3-Clause
// Functions to call at exit. In a file of its own, because it links the C library's list of such functions.
#include "internal.h"

void skerry_at_exit(void (*function)(void)) {
    atexit(function);
}
