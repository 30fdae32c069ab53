// SPDX-License-Identifier: BSD-3-Clause
// Includes the header of this processor, which defines its fences, pause, prefetch and tick counter. The other code for
// Linux is portable C, with the exceptions that README.md names.
#ifndef SKERRY_MACHINE_LINUX_ARCH_ARCH_H
#define SKERRY_MACHINE_LINUX_ARCH_ARCH_H

#if defined(__x86_64__)
#include "x86_64.h"
#elif defined(__aarch64__)
#include "aarch64.h"
#else
#error "Skerry knows x86-64 and aarch64; add a file beside this one for another processor"
#endif

#endif
