// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this machine share: the words that quiet uses, and functions for addresses.
#ifndef SKERRY_MACHINE_EPIPHANY_INTERNAL_H
#define SKERRY_MACHINE_EPIPHANY_INTERNAL_H

#include "../chip/chip.h"

// Words that quiet uses (quiet.S). Quiet stores a number in another PE's memory to find out when earlier stores to
// that PE have arrived. `number` is the last number that this PE has sent. `echo` is the address of this PE's element
// of the array skerry_echo. PE i stores its numbers to element i of this array in the memory of other PEs, and no
// other PE writes that element.
extern struct skerry_quiet_words {
    _Alignas(8) uint32_t number;
    volatile uint32_t *echo;
} skerry_quiet_words;
extern volatile uint32_t skerry_echo[];

// Returns true if an address is in this core's memory, as a short or as a global address.
SKERRY_ALWAYS_INLINE bool skerry_is_own(const void *address) {
    uintptr_t partition = (uintptr_t)address & ~(uintptr_t)SKERRY_PARTITION_MASK;
    return partition == 0 || partition == skerry_partitions[skerry_my_pe()];
}

// Address of a store for which the next call of quiet must wait; NULL if there is no such store. A get that copies to
// another core's memory or to external memory stores the address of its last byte here, after the copy.
// skerry_note_stores stores an address here after stores to external memory (outside.c). While a non-blocking get is
// in progress, the word can contain &skerry_got instead (get.c).
extern const volatile void *volatile skerry_written_outside;

#endif
