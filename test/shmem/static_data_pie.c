// SPDX-License-Identifier: BSD-3-Clause
// As static_data, for an executable that address randomisation may move.
// flags: -fPIE -pie
// pes: 1 2 4 16
#include "static_data.c"
