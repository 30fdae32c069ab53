// SPDX-License-Identifier: BSD-3-Clause
// The owner's side that runs the ring's newest call first, as in Ross and Richie 2018; for comparison. To link it, use
// -Wl,--defsym=_skerry_serve_calls=_skerry_serve_calls_newest_first.
#define NEWEST_FIRST
#include "rpc_serve.S"
