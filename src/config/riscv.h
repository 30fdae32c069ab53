// SPDX-License-Identifier: BSD-3-Clause
// Chooses the table sizes and the algorithms of primitives and programming models for a machine whose PEs are RISC-V
// cores of a mesh. Memory is scarce, and writing another core's memory is much faster than reading it, as on an
// Epiphany chip. So this machine uses all choices of epiphany.h.
#ifndef SKERRY_CONFIG_RISCV_H
#define SKERRY_CONFIG_RISCV_H

#include "epiphany.h"

#endif
