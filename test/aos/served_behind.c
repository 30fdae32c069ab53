// SPDX-License-Identifier: BSD-3-Clause
// skip: epiphany
// env: SKERRY_NO_CROSS_MEMORY=1
#include "behind.c"
