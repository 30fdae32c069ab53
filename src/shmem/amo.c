// SPDX-License-Identifier: BSD-3-Clause
// Defines the symbols of the routines in amo.h for callers that do not inline them: other languages, function
// pointers, tools, and programs that are built with checks.
#include "internal.h"

#define SKERRY_READING_SYMBOLS
#include "api.h"
#include "amo.h"
