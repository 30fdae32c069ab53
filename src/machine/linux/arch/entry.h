// SPDX-License-Identifier: BSD-3-Clause
// Includes the processor's macros for entries (functions of the library to which thunks jump). The processor is the one
// that the code is compiled for.
#ifndef SKERRY_MACHINE_LINUX_ARCH_ENTRY_H
#define SKERRY_MACHINE_LINUX_ARCH_ENTRY_H

#include "arch.h"

#include SKERRY_ARCH_FILE(entry.h)

#endif
