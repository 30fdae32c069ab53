// SPDX-License-Identifier: BSD-3-Clause
// Includes the macros for entries, for the processor that the code is compiled for. An entry is a function of the
// library to which a thunk (the code that stands for a remote function in the program) jumps.
#ifndef SKERRY_MACHINE_LINUX_ARCH_ENTRY_H
#define SKERRY_MACHINE_LINUX_ARCH_ENTRY_H

#include "arch.h"

#include SKERRY_ARCH_FILE(entry.h)

#endif
