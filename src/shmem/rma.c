// SPDX-License-Identifier: BSD-3-Clause
// Defines the linker symbols of the routines in rma.h. The symbols are for callers that do not inline the routines:
// programs in other languages, pointers to functions, profiling tools, and programs that are built with checks.
#include "internal.h"

#define SKERRY_READING_SYMBOLS
#include "api.h"
#include "rma.h"
