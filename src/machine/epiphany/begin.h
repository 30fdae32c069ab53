// SPDX-License-Identifier: BSD-3-Clause
// Defines the two functions of ../chip/begin.c that differ between kinds of cores.
#ifndef SKERRY_MACHINE_EPIPHANY_BEGIN_H
#define SKERRY_MACHINE_EPIPHANY_BEGIN_H

#include "internal.h"

// Returns the number of this core, which is the upper 12 bits of its global addresses.
SKERRY_ALWAYS_INLINE uint32_t skerry_own_core(void) {
    uint32_t own;
    __asm__("movfs %0, coreid" : "=r"(own));
    return own;
}

// Sets `echo`, the address of this core's element of skerry_echo, which skerry_quiet uses (quiet.S). Called when the
// rank of this core is known.
SKERRY_ALWAYS_INLINE void skerry_set_up_core(void) {
    skerry_quiet_words.echo = &skerry_echo[skerry_facts.my_pe];
}

#endif
