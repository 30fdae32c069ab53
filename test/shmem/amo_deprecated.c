// SPDX-License-Identifier: BSD-3-Clause
// The atomics under their names before 1.4 (fetch, set, swap, cswap, finc, inc, fadd, add) do what the later ones do.
#include "test.h"

#include <skerry/shmem/types.h>

#define DECLARE_WORD(NAME, TYPE) static TYPE word_##NAME;
SKERRY_FAMILY(OLD_EXTENDED_ATOMIC, DECLARE_WORD)
#define DECLARE_SUM(NAME, TYPE) static TYPE sum_##NAME;
SKERRY_FAMILY(OLD_ATOMIC, DECLARE_SUM)

#define GAVE(expression, expected, what) REQUIRE((expression) == (expected), what " returned a wrong value")

#define MOVE(NAME, TYPE)                                                                                               \
    shmem_##NAME##_set(&word_##NAME, (TYPE)11, pe);                                                                    \
    shmem_quiet();                                                                                                     \
    GAVE(shmem_##NAME##_fetch(&word_##NAME, pe), (TYPE)11, #NAME " set and fetch");                                    \
    GAVE(shmem_##NAME##_swap(&word_##NAME, (TYPE)-12, pe), (TYPE)11, #NAME " swap");                                   \
    GAVE(shmem_##NAME##_fetch(&word_##NAME, pe), (TYPE)-12, #NAME " swap, then fetch");

#define COUNT(NAME, TYPE)                                                                                              \
    shmem_##NAME##_set(&word_##NAME, 5, pe);                                                                           \
    shmem_quiet();                                                                                                     \
    GAVE(shmem_##NAME##_cswap(&word_##NAME, 6, 1, pe), 5, #NAME " cswap of another value");                            \
    GAVE(shmem_##NAME##_cswap(&word_##NAME, 5, -8, pe), 5, #NAME " cswap");                                            \
    GAVE(shmem_##NAME##_finc(&word_##NAME, pe), -8, #NAME " finc");                                                    \
    GAVE(shmem_##NAME##_fadd(&word_##NAME, 100, pe), -7, #NAME " fadd");                                               \
    shmem_##NAME##_inc(&word_##NAME, pe);                                                                              \
    shmem_##NAME##_add(&word_##NAME, -4, pe);                                                                          \
    shmem_quiet();                                                                                                     \
    GAVE(shmem_##NAME##_fetch(&word_##NAME, pe), 90, #NAME " inc and add");

#define CONTEND(NAME, TYPE)                                                                                            \
    for (int i = 0; i < 100; i++) {                                                                                    \
        shmem_##NAME##_inc(&sum_##NAME, 0);                                                                            \
        shmem_##NAME##_add(&sum_##NAME, 2, 0);                                                                         \
        (void)shmem_##NAME##_finc(&sum_##NAME, 0);                                                                     \
        (void)shmem_##NAME##_fadd(&sum_##NAME, 3, 0);                                                                  \
    }

#define LOOK(NAME, TYPE) GAVE(shmem_##NAME##_fetch(&sum_##NAME, 0), (TYPE)700 * (TYPE)pes, #NAME " sum of all PEs");

int main(void) {
    test_begin();
    int pe = right_of(me);
    SKERRY_FAMILY(OLD_EXTENDED_ATOMIC, MOVE)
    SKERRY_FAMILY(OLD_ATOMIC, COUNT)
    SKERRY_FAMILY(OLD_ATOMIC, CONTEND)
    shmem_barrier_all();
    SKERRY_FAMILY(OLD_ATOMIC, LOOK)
    shmem_barrier_all();
    return test_end();
}
