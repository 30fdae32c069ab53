// SPDX-License-Identifier: BSD-3-Clause
// env: SKERRY_NO_MEMBARRIER=1
#include "conditional.c"
