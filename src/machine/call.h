// SPDX-License-Identifier: BSD-3-Clause
// Includes the part of remote procedure calls that depends on the machine for which this code is compiled. That part
// saves and loads arguments that are in registers.
#ifndef SKERRY_MACHINE_CALL_H
#define SKERRY_MACHINE_CALL_H

#include "machine.h"

#if defined(__linux__)
#include "linux/call.h"
#elif defined(__epiphany__)
#include "epiphany/call.h"
#endif

#endif
