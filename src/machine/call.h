// SPDX-License-Identifier: BSD-3-Clause
// Includes the part of remote procedure calls that depends on the machine for which this code is compiled. That part
// saves and loads arguments that are in registers.
#ifndef SKERRY_MACHINE_CALL_H
#define SKERRY_MACHINE_CALL_H

#include "machine.h"

#include SKERRY_CALL_HEADER

#endif
