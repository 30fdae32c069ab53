// SPDX-License-Identifier: BSD-3-Clause
// In a file of its own: it brings the C library's list of such functions.
#include "internal.h"

void skerry_at_exit(void (*function)(void)) {
    atexit(function);
}
