// SPDX-License-Identifier: BSD-3-Clause
// Includes the processor's header for function calls with arguments in registers. The processor is the one that the
// code is compiled for.
#ifndef SKERRY_MACHINE_LINUX_ARCH_CALL_H
#define SKERRY_MACHINE_LINUX_ARCH_CALL_H

#include "arch.h"

#include SKERRY_ARCH_FILE(call.h)

#endif
