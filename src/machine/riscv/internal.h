// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this machine share: a register's address, and the operations on double words under a lock.
#ifndef SKERRY_MACHINE_RISCV_INTERNAL_H
#define SKERRY_MACHINE_RISCV_INTERNAL_H

#include "../chip/chip.h"

// Offset of a register in a core's range of 1 MB of addresses. The register contains the address at which other cores
// access this core's memory (docs/design/riscv.md).
#define SKERRY_RISCV_PLACE 0xf0018u

// Changes a double word in any memory, and returns its old value (atomic_word.c). `there` is the word's global address.
// The operation holds the lock in the memory of PE `pe`. This PE must be the owner of the word. If the word is in
// external memory, it must be PE 0.
enum skerry_change { SKERRY_SWAP, SKERRY_COMPARE_SWAP, SKERRY_ADD, SKERRY_AND, SKERRY_OR, SKERRY_XOR };
uint64_t skerry_change_64(void *there, int pe, enum skerry_change change, uint64_t expected, uint64_t value);

#endif
