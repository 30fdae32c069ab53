// SPDX-License-Identifier: BSD-3-Clause
// Runs the remote procedure calls in this core's rings, in programs with classes of calls (class_rings.c).
#define BY_CLASS
#include "serve.S"
