// SPDX-License-Identifier: BSD-3-Clause
// Implements the contract's atomic operations that return no value, by the operations that return the old value. Used
// on machines where an atomic operation without a result is not faster than one with a result. The machine's header
// defines the operations skerry_atomic_fetch_* and then includes this file.
#ifndef SKERRY_MACHINE_DEFAULTS_PLAIN_ATOMICS_H
#define SKERRY_MACHINE_DEFAULTS_PLAIN_ATOMICS_H

#define SKERRY_PLAIN_ATOMIC(NAME, BITS)                                                                                \
    SKERRY_ALWAYS_INLINE void skerry_atomic_##NAME##_##BITS(void *word, uint##BITS##_t value, int pe) {                \
        (void)skerry_atomic_fetch_##NAME##_##BITS(word, value, pe);                                                    \
    }
SKERRY_PLAIN_ATOMIC(add, 32)
SKERRY_PLAIN_ATOMIC(and, 32)
SKERRY_PLAIN_ATOMIC(or, 32)
SKERRY_PLAIN_ATOMIC(xor, 32)
SKERRY_PLAIN_ATOMIC(add, 64)
SKERRY_PLAIN_ATOMIC(and, 64)
SKERRY_PLAIN_ATOMIC(or, 64)
SKERRY_PLAIN_ATOMIC(xor, 64)

#endif
