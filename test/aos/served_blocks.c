// SPDX-License-Identifier: BSD-3-Clause
// env: SKERRY_NO_CROSS_MEMORY=1
#include "blocks.c"
