// SPDX-License-Identifier: BSD-3-Clause
// The symbols of rma.h, for callers that do not inline: other languages, function pointers, tools, the checking build.
#include "internal.h"

#define SKERRY_READING_SYMBOLS
#include "api.h"
#include "rma.h"
