// SPDX-License-Identifier: BSD-3-Clause
// Includes the machine that this code is compiled for, and then the contract. SKERRY_MACHINE_HEADER is the machine's
// header, as a path from this folder. The compiler's command line defines it (oshcc --machine, and the CMakeLists.txt
// of a machine). If it is not defined, the code is compiled for Linux: for the threads of a process if SKERRY_WORKERS
// is defined, else for processes.
#ifndef SKERRY_MACHINE_MACHINE_H
#define SKERRY_MACHINE_MACHINE_H

#if defined(SKERRY_MACHINE_HEADER)
#include SKERRY_MACHINE_HEADER
#elif defined(SKERRY_WORKERS)
#include "linux/threads/machine.h"
#elif defined(__linux__)
#include "linux/machine.h"
#elif defined(SKERRY_NO_OPENSHMEM)    // the compiler's command line defines it as the text of an error message
_Static_assert(0, SKERRY_NO_OPENSHMEM);
#include "OpenSHMEM is not available" // there is no such file, so the compiler reports no further errors
#else
#error "OpenSHMEM is not available for this target: name a machine that has it, by oshcc --machine"
#include "OpenSHMEM is not available"
#endif

#include "contract/core.h"
#ifdef SKERRY_WORKERS
#include "contract/workers.h"
#else
#include "contract/pe.h"
#endif

#endif
