// SPDX-License-Identifier: BSD-3-Clause
// Includes the header for function calls with arguments in registers, for the processor that the code is compiled for.
#ifndef SKERRY_MACHINE_LINUX_ARCH_CALL_H
#define SKERRY_MACHINE_LINUX_ARCH_CALL_H

#include "arch.h"

#include SKERRY_ARCH_FILE(call.h)

#endif
