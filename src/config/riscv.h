// SPDX-License-Identifier: BSD-3-Clause
// Configures primitives and programming models for a machine whose PEs are RISC-V cores of a mesh. Memory is scarce on
// this machine, as on an Epiphany chip. Cores write another core's memory much faster than they read that memory, also
// as on an Epiphany chip. Therefore the values of epiphany.h fit.
#ifndef SKERRY_CONFIG_RISCV_H
#define SKERRY_CONFIG_RISCV_H

#include "epiphany.h"

#endif
