// SPDX-License-Identifier: BSD-3-Clause
// Includes the functions that read and change the registers of a signal handler's context, for the processor that the
// code is compiled for.
#ifndef SKERRY_MACHINE_LINUX_ARCH_SIGNAL_H
#define SKERRY_MACHINE_LINUX_ARCH_SIGNAL_H

#include "arch.h"

#include SKERRY_ARCH_FILE(signal.h)

#endif
