// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this machine share: the words that quiet uses, and functions for addresses.
#ifndef SKERRY_MACHINE_EPIPHANY_INTERNAL_H
#define SKERRY_MACHINE_EPIPHANY_INTERNAL_H

#include "../chip/chip.h"

// Words that quiet uses (quiet.S). Quiet stores a number in another PE's memory to find out when earlier stores to that
// PE have arrived. `number` is the last number that this PE has sent. `echo` is the address of this PE's element of
// skerry_echo. PE i stores its numbers to element i of this array in other PEs' memories. No other PE writes that
// element.
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

// Address of a store for which the next call of quiet must wait. NULL: there is no such store. Three functions store an
// address here:
// * a get that copies to another core's memory or to external memory: the address of its last byte, after the copy
// * skerry_note_stores, after stores to external memory (outside.c)
// * a non-blocking get that is in progress: the address of skerry_got, if the word is NULL (get.c)
extern const volatile void *volatile skerry_written_outside;

#endif
