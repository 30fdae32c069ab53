// SPDX-License-Identifier: BSD-3-Clause
// Functions of a program at fixed addresses.
// flags: -fno-pie -no-pie
// pes: 2 7
#include "addresses.c"
