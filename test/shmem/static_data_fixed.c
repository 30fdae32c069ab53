// SPDX-License-Identifier: BSD-3-Clause
// As static_data, for an executable at a fixed address.
// flags: -fno-pie -no-pie
// pes: 1 2 4 16
#include "static_data.c"
