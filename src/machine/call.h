// SPDX-License-Identifier: BSD-3-Clause
// Calls by registers of the machine this code is compiled for: see contract.h.
#ifndef SKERRY_MACHINE_CALL_H
#define SKERRY_MACHINE_CALL_H

#include "machine.h"

#if defined(__linux__)
#include "linux/call.h"
#elif defined(__epiphany__)
#include "epiphany/call.h"
#endif

#endif
