// SPDX-License-Identifier: BSD-3-Clause
// Includes the fences, the pause instruction, the prefetch and the tick counter, for the processor that the code is
// compiled for.
#ifndef SKERRY_MACHINE_LINUX_ARCH_INSTRUCTIONS_H
#define SKERRY_MACHINE_LINUX_ARCH_INSTRUCTIONS_H

#include "arch.h"

#include SKERRY_ARCH_FILE(instructions.h)

#endif
