// SPDX-License-Identifier: BSD-3-Clause
// Includes the public header mppa_async.h, and some headers of the C library. Kalray's own mppa_async.h includes these
// headers, so programs for MPPA processors use them without an #include of their own.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../mppa_async.h"
