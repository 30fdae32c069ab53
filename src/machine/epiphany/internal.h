// SPDX-License-Identifier: BSD-3-Clause
// Declarations that the files of this machine share.
#ifndef SKERRY_MACHINE_EPIPHANY_INTERNAL_H
#define SKERRY_MACHINE_EPIPHANY_INTERNAL_H

#include "../chip/chip.h"

// Words that quiet uses (quiet.S). Quiet stores numbers in other PEs' memory; `number` is the last number that this PE
// sent. `echo` is the address of this PE's element of the array skerry_echo: PE i stores its numbers to element i in
// the memory of other PEs, and no other PE writes that element.
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

// The next call of quiet waits until the stores to this address have arrived; NULL: there are no such stores. A get
// that copies to another core's memory or to external memory stores the address of the last byte here, after the copy.
// skerry_note_stores stores an address here after stores to external memory (outside.c). While the data of a
// non-blocking get is on its way, the word can contain &skerry_got instead (get.c).
extern const volatile void *volatile skerry_written_outside;

#endif
