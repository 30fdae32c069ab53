// SPDX-License-Identifier: BSD-3-Clause
// Includes all list headers. api.h must be included before this file, and chooses how they are compiled.
#include "setup.h"

#include "segment.h"

#include "event.h"

#include "fence.h"

#include "transfer.h"

#include "atomic.h"

#include "queue.h"
