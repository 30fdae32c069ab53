// SPDX-License-Identifier: BSD-3-Clause
// Runs the remote procedure calls in this core's ring, the newest call first, as in Ross and Richie 2018. This file
// exists only for measurements that compare the two orders. A program contains it if it is linked with
// -Wl,--defsym=_skerry_serve_calls=_skerry_serve_calls_newest_first.
#define NEWEST_FIRST
#include "serve.S"
