// SPDX-License-Identifier: BSD-3-Clause
// The lock routines of version OMP_1.0, that programs of long ago are bound to: a nestable lock there is of the thread.
// threads: 1 2 4
#include "test.h"

#define OLD(name) __asm__(".symver old_" #name ", omp_" #name "@OMP_1.0")
#define DECLARE(kind)                                                                                                  \
    void old_init_##kind(void *);                                                                                      \
    void old_destroy_##kind(void *);                                                                                   \
    void old_set_##kind(void *);                                                                                       \
    void old_unset_##kind(void *);                                                                                     \
    int old_test_##kind(void *);
DECLARE(lock)
DECLARE(nest_lock)
OLD(init_lock);
OLD(destroy_lock);
OLD(set_lock);
OLD(unset_lock);
OLD(test_lock);
OLD(init_nest_lock);
OLD(destroy_nest_lock);
OLD(set_nest_lock);
OLD(unset_nest_lock);
OLD(test_nest_lock);

int main(void) {
    static omp_lock_t lock[1]; // as large as they were, where there are programs of that time
    static long nest_lock[1];  // two ints
    static int guard = 12345;
    long count = 0, nested = 0;
    int rounds = test_rounds(5000);
    old_init_lock(lock);
    old_init_nest_lock(nest_lock);
    REQUIRE(old_test_lock(lock) == 1 && old_test_lock(lock) == 0, "test");
    old_unset_lock(lock);
#pragma omp parallel
    for (int i = 0; i < rounds; i++) {
        old_set_lock(lock);
        count++;
        old_unset_lock(lock);
        old_set_nest_lock(nest_lock);
        REQUIRE(old_test_nest_lock(nest_lock) == 2, "the second time is another");
        nested++;
#pragma omp task if (0)
        {
            old_set_nest_lock(nest_lock); // by the same thread
            old_unset_nest_lock(nest_lock);
        }
        old_unset_nest_lock(nest_lock);
        old_unset_nest_lock(nest_lock);
    }
    long right = (long)omp_get_max_threads() * rounds;
    REQUIRE(count == right && nested == right && guard == 12345, "%ld, %ld of %ld", count, nested, right);
    old_destroy_lock(lock);
    old_destroy_nest_lock(nest_lock);
    return 0;
}
