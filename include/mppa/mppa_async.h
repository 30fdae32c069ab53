// SPDX-License-Identifier: BSD-3-Clause
// The public header, with the parts of the C library that programs get through MPPA's own and do not include themselves.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../mppa_async.h"
