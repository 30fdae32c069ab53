// SPDX-License-Identifier: BSD-3-Clause
// Includes the macros for entries, to which thunks jump, of the processor that the code is compiled for.
#ifndef SKERRY_MACHINE_LINUX_ARCH_ENTRY_H
#define SKERRY_MACHINE_LINUX_ARCH_ENTRY_H

#include "arch.h"

#include SKERRY_ARCH_FILE(entry.h)

#endif
