// SPDX-License-Identifier: BSD-3-Clause
// The owner's side in programs with classes of calls (rpc_class.c).
#define BY_CLASS
#include "rpc_serve.S"
