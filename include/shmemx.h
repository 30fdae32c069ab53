// SPDX-License-Identifier: BSD-3-Clause
// Routines beyond the specification, under the prefix shmemx_.
#ifndef SHMEMX_H
#define SHMEMX_H

#include "shmem.h"

#endif
