// SPDX-License-Identifier: BSD-3-Clause
// Includes the machine that this code is compiled for, and then the contract. Only this file and call.h choose a
// machine.
#ifndef SKERRY_MACHINE_MACHINE_H
#define SKERRY_MACHINE_MACHINE_H

#if defined(SKERRY_WORKERS) && defined(__linux__)
#include "linux/worker/machine.h"
#elif defined(__linux__)
#include "linux/machine.h"
#elif defined(__epiphany__)
#include "epiphany/machine.h"
#else
#error "Skerry has no machine folder for this target; see src/machine/README.md"
#endif

#include "contract.h"
#ifdef SKERRY_WORKERS
#include "contract_workers.h"
#else
#include "contract_pe.h"
#endif

#endif
