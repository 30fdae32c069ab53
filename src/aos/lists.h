// SPDX-License-Identifier: BSD-3-Clause
// All chapters, read as api.h was told.
#include "setup.h"

#include "segment.h"

#include "event.h"

#include "fence.h"

#include "transfer.h"

#include "atomic.h"

#include "queue.h"
