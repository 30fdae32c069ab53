// SPDX-License-Identifier: BSD-3-Clause
// compare-and-swap loops of all PEs on one word: each success is one step, none is lost; for every type.
#include "test.h"

#include <skerry/shmem/types.h>

#define STEPS 500

#define TRY(NAME, TYPE)                                                                                                \
    static TYPE word_##NAME;                                                                                           \
    static void try_##NAME(void) {                                                                                     \
        int home = pes - 1;                                                                                            \
        for (int i = 0; i < STEPS; i++) {                                                                              \
            TYPE seen = shmem_##NAME##_atomic_fetch(&word_##NAME, home);                                               \
            for (;;) {                                                                                                 \
                TYPE before = shmem_##NAME##_atomic_compare_swap(&word_##NAME, seen, (TYPE)(seen + 3), home);          \
                if (before == seen) break;                                                                             \
                REQUIRE((before - seen) % 3 == 0, #NAME " compare_swap returned a value that nobody wrote");           \
                seen = before;                                                                                         \
            }                                                                                                          \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
        if (me == home)                                                                                                \
            REQUIRE(word_##NAME == (TYPE)(3 * STEPS) * (TYPE)pes, "steps of a " #NAME " compare_swap were lost");      \
    }
SKERRY_FAMILY(STANDARD_ATOMIC, TRY)

#define CALL(NAME, TYPE) try_##NAME();

int main(void) {
    test_begin();
    shmem_barrier_all();
    SKERRY_FAMILY(STANDARD_ATOMIC, CALL)
    return test_end();
}
