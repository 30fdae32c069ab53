// SPDX-License-Identifier: BSD-3-Clause
// The ring's newest call first, as Ross and Richie 2018 have it; for comparison. Linked instead by
// -Wl,--defsym=_skerry_serve_calls=_skerry_serve_calls_newest_first.
#define NEWEST_FIRST
#include "rpc_serve.S"
