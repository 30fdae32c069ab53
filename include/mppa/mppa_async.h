// SPDX-License-Identifier: BSD-3-Clause
// The public header mppa_async.h, with some headers of the C library. MPPA's own mppa_async.h includes them, and
// programs for MPPA use them without including them.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../mppa_async.h"
