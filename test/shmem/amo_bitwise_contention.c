// SPDX-License-Identifier: BSD-3-Clause
// Each PE owns one bit of a shared word, and sets, clears and flips it while all others do the same with theirs: the value
// fetched always shows its own bit as it left it, and at the end the bits are what their owners made them.
// pes: 1 2 3 4 7 8 16 24
#include "test.h"

#include <skerry/shmem/types.h>

#define ROUNDS 600

#define SEES(expression, wanted, what)                                                                                 \
    REQUIRE(((expression)&mine) == (wanted), what ": another PE changed this one's bit")

#define TRY(NAME, TYPE)                                                                                                \
    static TYPE word_##NAME;                                                                                           \
    static void try_##NAME(void) {                                                                                     \
        const TYPE mine = (TYPE)((TYPE)1 << me % 31), others = (TYPE)~mine, none = 0;                                  \
        TYPE *word = &word_##NAME;                                                                                     \
        TYPE old = 0;                                                                                                  \
        for (int i = 0; i < ROUNDS; i++) {                                                                             \
            SEES(shmem_##NAME##_atomic_fetch_or(word, mine, 0), none, #NAME " fetch_or");                              \
            SEES(shmem_##NAME##_atomic_fetch_and(word, others, 0), mine, #NAME " fetch_and");                          \
            SEES(shmem_##NAME##_atomic_fetch_xor(word, mine, 0), none, #NAME " fetch_xor");                            \
            shmem_##NAME##_atomic_xor(word, mine, 0);                                                                  \
            shmem_##NAME##_atomic_or(word, mine, 0);                                                                   \
            SEES(shmem_##NAME##_atomic_fetch(word, 0), mine, #NAME " or");                                             \
            shmem_##NAME##_atomic_and(word, others, 0);                                                                \
            shmem_##NAME##_atomic_fetch_or_nbi(&old, word, mine, 0);                                                   \
            shmem_quiet();                                                                                             \
            SEES(old, none, #NAME " fetch_or_nbi");                                                                    \
            shmem_##NAME##_atomic_fetch_xor_nbi(&old, word, mine, 0);                                                  \
            shmem_quiet();                                                                                             \
            SEES(old, mine, #NAME " fetch_xor_nbi");                                                                   \
            shmem_##NAME##_atomic_fetch_and_nbi(&old, word, others, 0);                                                \
            shmem_quiet();                                                                                             \
            SEES(old, none, #NAME " fetch_and_nbi");                                                                   \
        }                                                                                                              \
        if (me % 2) shmem_##NAME##_atomic_or(word, mine, 0);                                                           \
        shmem_barrier_all();                                                                                           \
        for (int pe = 0; pe < pes && me == 0; pe++)                                                                    \
            REQUIRE(((*word >> pe & 1) != 0) == (pe % 2 != 0), #NAME ": the bit of PE %d is wrong at the end", pe);    \
    }
SKERRY_FAMILY(BITWISE_ATOMIC, TRY)

#define CALL(NAME, TYPE) try_##NAME();

int main(void) {
    test_begin();
    SKERRY_FAMILY(BITWISE_ATOMIC, CALL)
    return test_end();
}
