// SPDX-License-Identifier: BSD-3-Clause
// Includes all list headers: the headers that declare the routines of aos.h, one header for each group of routines.
// api.h must be included first: its macros select what each declaration becomes.
#include "setup.h"

#include "segment.h"

#include "event.h"

#include "fence.h"

#include "transfer.h"

#include "atomic.h"

#include "queue.h"
