// SPDX-License-Identifier: BSD-3-Clause
// MPPA programs include this header to choose routes through the network. Skerry has no routines for that.
#include <mppa_async.h>
