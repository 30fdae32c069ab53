// SPDX-License-Identifier: BSD-3-Clause
// A call of a function that a PE with others has not: see loaded.c.
#define SERVES
#include "loaded.c"
