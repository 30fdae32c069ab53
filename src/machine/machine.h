// SPDX-License-Identifier: BSD-3-Clause
// Includes the machine that this code is compiled for, and then the contract. Only this file chooses a machine. For
// src/config/config.h and call.h it also defines the names of this machine's files.
#ifndef SKERRY_MACHINE_MACHINE_H
#define SKERRY_MACHINE_MACHINE_H

#if defined(SKERRY_WORKERS) && defined(__linux__)
#include "linux/threads/machine.h"
#elif defined(__linux__)
#include "linux/machine.h"
#define SKERRY_CONFIG_HEADER "linux.h"
#define SKERRY_CALL_HEADER "linux/call.h"
#elif defined(__epiphany__)
#include "epiphany/machine.h"
#define SKERRY_CONFIG_HEADER "epiphany.h"
#define SKERRY_CALL_HEADER "epiphany/call.h"
#else
#error "Skerry has no machine folder for this target; see src/machine/README.md"
#endif

#include "contract/core.h"
#ifdef SKERRY_WORKERS
#include "contract/workers.h"
#else
#include "contract/pe.h"
#endif

#endif
