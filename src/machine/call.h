// SPDX-License-Identifier: BSD-3-Clause
// Includes the machine's part of remote procedure calls, and then the contract for it.
#ifndef SKERRY_MACHINE_CALL_H
#define SKERRY_MACHINE_CALL_H

#include "machine.h"

#include SKERRY_CALL_HEADER

#include "contract/call.h"

#endif
