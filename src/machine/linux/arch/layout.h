// SPDX-License-Identifier: BSD-3-Clause
// Includes the numbers of the address space that differ between processors, for the processor that the code is compiled
// for.
#ifndef SKERRY_MACHINE_LINUX_ARCH_LAYOUT_H
#define SKERRY_MACHINE_LINUX_ARCH_LAYOUT_H

#include "arch.h"

#include SKERRY_ARCH_FILE(layout.h)

#endif
