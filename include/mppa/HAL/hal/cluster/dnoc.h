// SPDX-License-Identifier: BSD-3-Clause
// Programs for Kalray's MPPA processors include this header for routines that read queues of the on-chip network.
// Skerry has no such routines. The header exists only so that such programs compile.
#include <mppa_async.h>
