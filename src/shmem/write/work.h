// SPDX-License-Identifier: BSD-3-Clause
// Declares the work area in which a PE receives the data that it has to combine. Each PE has one work area, which all
// its groups use. While a PE is in a reduction or a scan of a group, its work area belongs to that collective. Before
// another PE stores into the area, it waits for a signal from the owner that the area is free.
#ifndef SKERRY_SHMEM_WRITE_WORK_H
#define SKERRY_SHMEM_WRITE_WORK_H

#include "../../primitive/channel.h"
#include "../collective.h"

extern SKERRY_PRIVATE char skerry_work[SKERRY_WORK_BYTES]; // the machine defines it, aligned for every type

// Element i is the size in bytes of the block that PE i gives to a collect. Only PE i stores there (collect.c).
extern SKERRY_PRIVATE uint32_t skerry_block_sizes[];

#endif
