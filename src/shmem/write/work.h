// SPDX-License-Identifier: BSD-3-Clause
// The work area in which a PE receives what it has to combine; one in each PE, for all groups. It is a PE's own while the PE
// is in a reduction or scan of a group: so whoever wants to store there waits for that PE's word first.
#ifndef SKERRY_SHMEM_WRITE_WORK_H
#define SKERRY_SHMEM_WRITE_WORK_H

#include "../../primitive/channel.h"
#include "../collective.h"

extern SKERRY_PRIVATE char skerry_work[SKERRY_WORK_BYTES]; // in memory that the machine gives, aligned for every type

// What each PE has told this one of its block's size (collect.c).
extern SKERRY_PRIVATE uint32_t skerry_block_sizes[];

#endif
