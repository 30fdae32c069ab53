// SPDX-License-Identifier: BSD-3-Clause
// Defines who a PE is: its number, and the number of PEs. The start of the program stores both before main. A machine's
// header defines SKERRY_ALWAYS_INLINE and then includes this file.
#ifndef SKERRY_MACHINE_CHIP_FACTS_H
#define SKERRY_MACHINE_CHIP_FACTS_H

#include <stdint.h>

struct skerry_facts {
    int32_t my_pe;
    int32_t pe_count;
};
#ifdef SKERRY_BUILD
extern struct skerry_facts skerry_facts;
#else
extern const struct skerry_facts skerry_facts;
#endif

SKERRY_ALWAYS_INLINE int skerry_my_pe(void) {
    return skerry_facts.my_pe;
}

SKERRY_ALWAYS_INLINE int skerry_pe_count(void) {
    return skerry_facts.pe_count;
}

#endif
