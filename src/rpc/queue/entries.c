// SPDX-License-Identifier: BSD-3-Clause
// Defines the entries: functions of the library, in assembly, to which thunks jump. A thunk is a few instructions in
// the program that pass a call to the library (function.h). Each entry calls a C function of send.c.
#include "internal.h"

_Static_assert(offsetof(struct skerry_function, code) == 0, "the entries read the code's address there");

SKERRY_CALL_ENTRY("skerry_rpc_call_entry", "skerry_rpc_call");
SKERRY_CALL_ENTRY("skerry_rpc_call_checked_entry", "skerry_rpc_call_checked");
SKERRY_CHECKED_ENTRY("skerry_rpc_checked_entry", "skerry_rpc_check", "skerry_rpc_call_checked_entry");
SKERRY_KEEP_ENTRY("skerry_rpc_keep_entry", "skerry_rpc_keep");
